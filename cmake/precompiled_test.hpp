// SPDX-License-Identifier: Apache-2.0
// What nearly every test of Clack includes; compiled once.
#pragma once
#include "cmake/precompiled.hpp"

#include <gtest/gtest.h>
