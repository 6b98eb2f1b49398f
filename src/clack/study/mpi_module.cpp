// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "clack/study/messages.hpp"

namespace clack::study {
namespace {

constexpr int tag = 1;
constexpr auto nap = std::chrono::microseconds(50);  // between two looks for a message

std::string receive_text(int from, int& sender, std::mutex& mutex) {
  for (;;) {
    {
      const std::scoped_lock lock(mutex);
      int is_there = 0;
      MPI_Status status;
      MPI_Iprobe(from < 0 ? MPI_ANY_SOURCE : from, tag, MPI_COMM_WORLD, &is_there, &status);
      if (is_there) {
        int size = 0;
        MPI_Get_count(&status, MPI_CHAR, &size);
        std::string text(size, '\0');
        MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        sender = status.MPI_SOURCE;
        return text;
      }
    }
    std::this_thread::sleep_for(nap);
  }
}

}  // namespace

extern "C" void clack_join_mpi(Messages& messages) {
  static std::mutex
      mutex;  // threads of a process speak one after the other (MPI_THREAD_SERIALIZED)
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &messages.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &messages.size);
  messages.send = [](int to, const std::string& text) {
    const std::scoped_lock lock(mutex);
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, tag, MPI_COMM_WORLD);
  };
  messages.receive = [](int from, int& sender) { return receive_text(from, sender, mutex); };
  messages.leave = [] { MPI_Finalize(); };
}

}  // namespace clack::study
