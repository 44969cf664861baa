/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACCELERATOR_PRESETS_H
#define ACCELERATOR_PRESETS_H

#include <map>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The files of data/accelerators, which the build makes part of the library.
 */
class AcceleratorPresets
{
  public:
    /**
     * @return the texts of the files by name, without the ending
     */
    static const std::map<std::string, std::string>& Get();
};

} // namespace lightpath
} // namespace ns3

#endif /* ACCELERATOR_PRESETS_H */
