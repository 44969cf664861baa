/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MAPPED_FILE_H
#define MAPPED_FILE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A file whose contents can be read like memory; only the pages that are read take any.
 *
 * The file must not change meanwhile.
 */
class MappedFile
{
  public:
    /**
     * @param name the name of the file; std::invalid_argument if it cannot be read
     */
    explicit MappedFile(const std::string& name);

    ~MappedFile();

    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /**
     * @return the contents, as long as this object exists
     */
    std::string_view GetText() const;

  private:
    void* m_begin{nullptr}; //!< The contents; null if there are none
    std::size_t m_size{0};  //!< Their bytes
};

} // namespace lightpath
} // namespace ns3

#endif /* MAPPED_FILE_H */
