/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_TABLE_H
#define PORT_TABLE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Entries of a device for some ports of its fabric, with access in constant time.
 *
 * Adding entries does not move existing entries in memory.
 *
 * @tparam T the type of an entry
 */
template <typename T>
class PortTable
{
  public:
    /**
     * @param port a port
     * @return its entry; null if there is none
     */
    T* Find(uint32_t port) const
    {
        // Devices of a ring have one peer, which takes no further access to memory
        if (port == m_recentPort)
        {
            return m_recent;
        }
        T* const found = Search(port);
        if (found)
        {
            m_recentPort = port;
            m_recent = found;
        }
        return found;
    }

    /**
     * Find the entry of a port, which is created if necessary.
     *
     * @tparam Args the types of the arguments of the constructor
     * @param port the port
     * @param args the arguments of the constructor of the entry
     * @return the entry
     */
    template <typename... Args>
    T& Get(uint32_t port, Args&&... args)
    {
        T* const found = Find(port);
        return found ? *found : Add(port, std::make_unique<T>(std::forward<Args>(args)...));
    }

    /**
     * @return the ports that have entries, in ascending order
     */
    const std::vector<uint32_t>& GetPorts() const
    {
        return m_ports;
    }

    /**
     * @param index an index in GetPorts()
     * @return the entry of the port at this index
     */
    T& GetEntry(std::size_t index) const
    {
        return *m_sorted[index];
    }

    /// Remove all entries.
    void Clear()
    {
        m_slots.clear();
        m_entries.clear();
        m_ports.clear();
        m_sorted.clear();
        m_recentPort = NONE;
        m_recent = nullptr;
    }

  private:
    /// Largest number of ports for a linear search, which fit in one cache line.
    static constexpr std::size_t FEW = 16;

    /// Port or index that marks a missing entry.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param port a port
     * @return its entry; null if there is none
     */
    T* Search(uint32_t port) const
    {
        if (m_ports.size() <= FEW)
        {
            for (std::size_t i = 0; i < m_ports.size(); ++i)
            {
                if (m_ports[i] == port)
                {
                    return m_sorted[i];
                }
            }
            return nullptr;
        }
        return port < m_slots.size() && m_slots[port] != NONE ? m_entries[m_slots[port]].get()
                                                              : nullptr;
    }

    /**
     * @param port a port without an entry
     * @param entry its entry
     * @return the entry
     */
    T& Add(uint32_t port, std::unique_ptr<T> entry)
    {
        m_entries.push_back(std::move(entry));
        const auto place = std::lower_bound(m_ports.begin(), m_ports.end(), port);
        m_sorted.insert(m_sorted.begin() + (place - m_ports.begin()), m_entries.back().get());
        m_ports.insert(place, port);
        AddSlots(port);
        return *m_entries.back();
    }

    /**
     * Add the slot of a port, once a linear search takes too long: until then, the memory does not
     * grow with the number of the port.
     *
     * @param port the port of the last entry
     */
    void AddSlots(uint32_t port)
    {
        if (m_ports.size() <= FEW)
        {
            return;
        }
        const bool areNew = m_slots.empty();
        m_slots.resize(std::max(m_slots.size(), std::size_t{m_ports.back()} + 1), NONE);
        m_slots[port] = static_cast<uint32_t>(m_entries.size() - 1);
        for (std::size_t i = 0; areNew && i < m_ports.size(); ++i)
        {
            const auto isHere = [&](const auto& entry) { return entry.get() == m_sorted[i]; };
            m_slots[m_ports[i]] = static_cast<uint32_t>(
                std::find_if(m_entries.begin(), m_entries.end(), isHere) - m_entries.begin());
        }
    }

    std::vector<uint32_t> m_slots; //!< Index of the entry by port, or NONE; empty with FEW ports
    std::vector<std::unique_ptr<T>> m_entries; //!< The entries in the order of their creation
    std::vector<uint32_t> m_ports;             //!< The ports in ascending order
    std::vector<T*> m_sorted;                  //!< The entries in the order of the ports
    mutable uint32_t m_recentPort{NONE};       //!< The port that was found last, or NONE
    mutable T* m_recent{nullptr};              //!< Its entry
};

} // namespace lightpath
} // namespace ns3

#endif /* PORT_TABLE_H */
