/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BYTE_ARCHIVE_H
#define BYTE_ARCHIVE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes values to bytes, or reads them back in the same order, on machines of one kind.
 */
class ByteArchive
{
  public:
    /// An empty archive to write to.
    ByteArchive()
        : m_isWriting(true)
    {
    }

    /**
     * @param bytes what GetBytes() returned, to be read
     */
    explicit ByteArchive(const std::string& bytes)
        : m_bytes(bytes)
    {
    }

    /**
     * @return true if values are written
     */
    bool IsWriting() const
    {
        return m_isWriting;
    }

    /**
     * @return the bytes
     */
    const std::string& GetBytes() const
    {
        return m_bytes;
    }

    /**
     * Write or read a number, or a structure of numbers.
     *
     * @tparam T its type
     * @param [in,out] value the number
     */
    template <typename T, typename = std::enable_if_t<std::is_trivially_copyable_v<T>>>
    void Pass(T& value)
    {
        if (m_isWriting)
        {
            m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
            return;
        }
        m_bytes.copy(reinterpret_cast<char*>(&value), sizeof(value), m_at);
        m_at += sizeof(value);
    }

    /**
     * Write or read a time.
     *
     * @param [in,out] time the time
     */
    void Pass(Time& time)
    {
        int64_t ticks = time.GetTimeStep();
        Pass(ticks);
        time = TimeStep(ticks);
    }

    /**
     * Write or read bytes.
     *
     * @param [in,out] bytes the bytes
     */
    void Pass(std::string& bytes)
    {
        uint64_t size = bytes.size();
        Pass(size);
        bytes = m_isWriting ? bytes : m_bytes.substr(m_at, size);
        m_isWriting ? void(m_bytes += bytes) : void(m_at += size);
    }

    /**
     * Write or read the size of a container, and resize it.
     *
     * @tparam T the type of its elements
     * @param [in,out] values the container
     */
    template <typename T>
    void PassSize(std::vector<T>& values)
    {
        uint64_t size = values.size();
        Pass(size);
        values.resize(size);
    }

  private:
    std::string m_bytes;     //!< The bytes
    std::size_t m_at{0};     //!< Bytes that have been read
    bool m_isWriting{false}; //!< Whether values are written
};

} // namespace lightpath
} // namespace ns3

#endif /* BYTE_ARCHIVE_H */
