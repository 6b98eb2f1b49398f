// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/csv.hpp"

#include <fmt/format.h>

#include <charconv>

#include "clack/error.hpp"
#include "clack/nearest_name.hpp"
#include "clack/number_text.hpp"

namespace clack {
namespace {

void append_number(fmt::memory_buffer& text, double number) {
  text.append(std::string_view(NumberText(number)));
}

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char letter : name)
    text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return text + "\"";
}

/// Fields of one line, from `position` on; leaves `position` behind the line's end.
std::vector<std::string> next_fields(const std::string& text, std::size_t& position) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (; position < text.size(); ++position) {
    const char letter = text[position];
    if (is_quoted) {
      const bool is_doubled = letter == '"' && text.substr(position + 1, 1) == "\"";
      if (is_doubled) ++position;
      if (letter == '"' && !is_doubled)
        is_quoted = false;
      else
        fields.back() += letter;
    } else if (letter == '"' && fields.back().empty()) {
      is_quoted = true;
    } else if (letter == ',') {
      fields.emplace_back();
    } else if (letter == '\n') {
      ++position;
      break;
    } else if (letter != '\r') {
      fields.back() += letter;
    }
  }
  return fields;
}

double to_number(const std::string& field, const std::string& column, const std::string& where) {
  if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
  double number = 0.0;
  const char* end = field.data() + field.size();
  const auto [rest, problem] = std::from_chars(field.data(), end, number);
  if (problem == std::errc::invalid_argument || rest != end)
    throw InputError("column " + column + ": \"" + field.substr(0, 40) + "\" is not a number",
                     where, "give a trace.csv as a run wrote it");
  return number;
}

}  // namespace

std::string trace_csv(const Trace& trace) {
  const std::size_t all = trace.columns.size();
  const std::size_t written = trace.csv_columns == 0 ? all : std::min(trace.csv_columns, all);
  fmt::memory_buffer text;
  text.reserve(trace.row_count() * written * 22 + 1024);
  for (std::size_t k = 0; k < written; ++k) {
    if (k > 0) text.push_back(',');
    text.append(quoted(trace.columns[k]));
  }
  if (written > 0) text.push_back('\n');
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    for (std::size_t k = 0; k < written; ++k) {
      if (k > 0) text.push_back(',');
      append_number(text, trace.rows[row * all + k]);
    }
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

std::string contacts_csv(const Trace& trace) {
  const bool is_plane = trace.dimension == 2;
  fmt::memory_buffer text;
  text.append(std::string_view(
      is_plane ? "t,contact,gap,normal,tangent,status,slip,x,y,nx,ny\n"
               : "t,contact,gap,normal,tangent1,tangent2,status,slip1,slip2,x,y,z,nx,ny,nz\n"));
  const auto add = [&](const double* numbers, int count) {
    for (int k = 0; k < count; ++k) {
      text.push_back(',');
      append_number(text, numbers[k]);
    }
  };
  const int dimension = trace.dimension, tangents = dimension - 1;
  for (const ContactRow& row : trace.contact_rows) {
    append_number(text, row.t);
    text.push_back(',');
    text.append(quoted(trace.contacts.at(row.contact)));
    add(&row.gap, 1);
    add(&row.normal, 1);
    add(row.tangent.data(), tangents);
    text.push_back(',');
    text.append(to_string(row.status));
    add(row.slip.data(), tangents);
    add(row.point.data(), dimension);
    add(row.direction.data(), dimension);
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

std::string constraints_csv(const Trace& trace) {
  fmt::memory_buffer text;
  text.append(std::string_view("t,constraint,row,value,force\n"));
  for (const ConstraintRecord& row : trace.constraint_rows) {
    append_number(text, row.t);
    text.push_back(',');
    text.append(quoted(trace.constraints.at(row.constraint)));
    text.append(fmt::format(",{},", row.row + 1));
    append_number(text, row.value);
    text.push_back(',');
    append_number(text, row.force);
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

const std::vector<double>& CsvTable::column(const std::string& name) const {
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] == name) return values[k];
  const std::string nearest = nearest_name(name, columns);
  throw InputError("there is no column " + name, "",
                   (nearest.empty() ? "" : "did you mean " + nearest + "? ") + "The columns are " +
                       list_names(columns));
}

CsvTable parse_csv(const std::string& text, const std::string& file) {
  std::size_t position = 0;
  CsvTable table;
  table.columns = next_fields(text, position);
  if (text.empty() || (table.columns.size() == 1 && table.columns[0].empty()))
    throw InputError("the table is empty", file, "give a trace.csv as a run wrote it");
  table.values.resize(table.columns.size());
  for (int line = 2; position < text.size(); ++line) {
    const std::vector<std::string> fields = next_fields(text, position);
    const std::string where = file + ":" + std::to_string(line);
    if (fields.size() != table.columns.size())
      throw InputError(fmt::format("the line has {} fields, the first line has {}", fields.size(),
                                   table.columns.size()),
                       where, "give a trace.csv as a run wrote it");
    for (std::size_t k = 0; k < fields.size(); ++k)
      table.values[k].push_back(to_number(fields[k], table.columns[k], where));
  }
  return table;
}

}  // namespace clack
