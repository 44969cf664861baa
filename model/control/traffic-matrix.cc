/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-matrix.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @tparam R a row, constant or not
 * @param row a row
 * @param destination a port
 * @return where the destination is in the row, or would have to be inserted
 */
template <typename R>
auto
FindPlace(R& row, uint32_t destination)
{
    return std::lower_bound(row.begin(),
                            row.end(),
                            destination,
                            [](const auto& entry, uint32_t port) { return entry.first < port; });
}

} // namespace

TrafficMatrix::TrafficMatrix(uint32_t size)
    : m_rows(std::make_shared<Rows>(size))
{
}

uint32_t
TrafficMatrix::GetSize() const
{
    return m_rows ? static_cast<uint32_t>(m_rows->size()) : 0;
}

void
TrafficMatrix::CheckPair(uint32_t source, uint32_t destination) const
{
    if (source >= GetSize() || destination >= GetSize())
    {
        throw std::invalid_argument("The pair " + std::to_string(source) + " to " +
                                    std::to_string(destination) +
                                    " is beyond a traffic matrix of " + std::to_string(GetSize()) +
                                    " ports, which are counted from 0");
    }
    if (source == destination)
    {
        throw std::invalid_argument("Port " + std::to_string(source) +
                                    " cannot have traffic for itself: source and destination must "
                                    "be different ports");
    }
}

TrafficMatrix::Rows&
TrafficMatrix::GetOwn()
{
    if (m_rows.use_count() > 1)
    {
        m_rows = std::make_shared<Rows>(*m_rows);
    }
    return *m_rows;
}

void
TrafficMatrix::Add(uint32_t source, uint32_t destination, uint64_t bytes)
{
    CheckPair(source, destination);
    if (bytes == 0)
    {
        return;
    }
    Row& row = GetOwn()[source];
    const auto place =
        row.empty() || row.back().first < destination ? row.end() : FindPlace(row, destination);
    if (place != row.end() && place->first == destination)
    {
        place->second += bytes;
        return;
    }
    row.insert(place, {destination, bytes});
}

void
TrafficMatrix::SetRow(uint32_t source, const Row& row)
{
    GetRow(source);
    for (std::size_t i = 0; i < row.size(); ++i)
    {
        CheckPair(source, row[i].first);
        if (row[i].second == 0 || (i > 0 && row[i].first <= row[i - 1].first))
        {
            throw std::invalid_argument(
                "The row of port " + std::to_string(source) + " of a traffic matrix has " +
                std::to_string(row[i].second) + " bytes for port " + std::to_string(row[i].first) +
                ": it must have its destinations in ascending order, each "
                "with at least 1 byte");
        }
    }
    GetOwn()[source] = row;
}

uint64_t
TrafficMatrix::Get(uint32_t source, uint32_t destination) const
{
    const Row& row = GetRow(source);
    const auto place = FindPlace(row, destination);
    return place != row.end() && place->first == destination ? place->second : 0;
}

const TrafficMatrix::Row&
TrafficMatrix::GetRow(uint32_t source) const
{
    if (source >= GetSize())
    {
        throw std::invalid_argument("Port " + std::to_string(source) +
                                    " is beyond a traffic matrix of " + std::to_string(GetSize()) +
                                    " ports, which are counted from 0");
    }
    return (*m_rows)[source];
}

uint64_t
TrafficMatrix::GetTotal() const
{
    uint64_t total = 0;
    for (uint32_t source = 0; source < GetSize(); ++source)
    {
        const Row& row = GetRow(source);
        for (const auto& entry : row)
        {
            total += entry.second;
        }
    }
    return total;
}

std::size_t
TrafficMatrix::GetNPairs() const
{
    std::size_t pairs = 0;
    for (uint32_t source = 0; source < GetSize(); ++source)
    {
        pairs += GetRow(source).size();
    }
    return pairs;
}

uint64_t
TrafficMatrix::GetMax() const
{
    uint64_t most = 0;
    for (uint32_t source = 0; source < GetSize(); ++source)
    {
        const Row& row = GetRow(source);
        for (const auto& entry : row)
        {
            most = std::max(most, entry.second);
        }
    }
    return most;
}

uint32_t
TrafficMatrix::GetDegree() const
{
    std::size_t degree = 0;
    std::vector<std::size_t> sources(GetSize(), 0);
    for (uint32_t source = 0; source < GetSize(); ++source)
    {
        const Row& row = GetRow(source);
        degree = std::max(degree, row.size());
        for (const auto& entry : row)
        {
            degree = std::max(degree, ++sources[entry.first]);
        }
    }
    return static_cast<uint32_t>(degree);
}

bool
TrafficMatrix::operator==(const TrafficMatrix& other) const
{
    return m_rows == other.m_rows ||
           (GetSize() == 0 ? other.GetSize() == 0
                           : other.GetSize() > 0 && *m_rows == *other.m_rows);
}

} // namespace lightpath
} // namespace ns3
