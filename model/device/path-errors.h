/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_ERRORS_H
#define PATH_ERRORS_H

#include "optical-error-model.h"
#include "port-table.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The errors of the light that a device sends, by the port that receives it.
 */
class PathErrors
{
  public:
    /**
     * @param hop the port that receives the light
     * @param errors the errors of the path; null for none
     */
    void Set(uint32_t hop, Ptr<OpticalErrorModel> errors);

    /**
     * @param hop the port that receives a frame
     * @param bytes the size of the frame
     * @param headers the bytes of its headers
     * @param most the most bytes after these headers that are corrupt as a whole. A larger frame
     *        stands for several of the same size, each with the headers.
     * @return the corrupt bytes: all, or those of some of the frames that it stands for, without
     *         headers
     */
    uint32_t DrawLost(uint32_t hop, uint32_t bytes, uint32_t headers, uint32_t most) const;

  private:
    PortTable<Ptr<OpticalErrorModel>> m_errors; //!< The errors of the paths that have any
};

} // namespace lightpath
} // namespace ns3

#endif /* PATH_ERRORS_H */
