/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_MATRIX_H
#define TRAFFIC_MATRIX_H

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
 * @brief Bytes by source and destination, as a sparse matrix.
 */
class TrafficMatrix
{
  public:
    /// The bytes that one source has for each of its destinations, in ascending order.
    using Row = std::vector<std::pair<uint32_t, uint64_t>>;

    /**
     * @param size the number of ports
     */
    explicit TrafficMatrix(uint32_t size = 0);

    /**
     * @return the number of ports
     */
    uint32_t GetSize() const;

    /**
     * Add to the bytes of a pair. Throws std::invalid_argument for a pair with itself or beyond the
     * size.
     *
     * @param source the port that sends
     * @param destination the port that receives
     * @param bytes the number of bytes; zero leaves the matrix as it is
     */
    void Add(uint32_t source, uint32_t destination, uint64_t bytes);

    /**
     * Set the bytes that a source has for all its destinations. Throws std::invalid_argument for a
     * pair with itself or beyond the size, destinations that are not in ascending order and zero
     * bytes.
     *
     * @param source the port that sends
     * @param row the bytes by destination
     */
    void SetRow(uint32_t source, const Row& row);

    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @return the bytes of the pair
     */
    uint64_t Get(uint32_t source, uint32_t destination) const;

    /**
     * @param source the port that sends
     * @return the destinations that it has bytes for
     */
    const Row& GetRow(uint32_t source) const;

    /**
     * @return the bytes of all pairs
     */
    uint64_t GetTotal() const;

    /**
     * @return the number of pairs that have bytes
     */
    std::size_t GetNPairs() const;

    /**
     * @return the bytes of the pair that has most
     */
    uint64_t GetMax() const;

    /**
     * @return the largest number of peers that a port sends to or receives from
     */
    uint32_t GetDegree() const;

    /**
     * @param other the matrix compared with
     * @return true if both have the same size and the same bytes
     */
    bool operator==(const TrafficMatrix& other) const;

  private:
    using Rows = std::vector<Row>; //!< A row for each source

    /**
     * Throw std::invalid_argument for a pair with itself or beyond the size.
     *
     * @param source the port that sends
     * @param destination the port that receives
     */
    void CheckPair(uint32_t source, uint32_t destination) const;

    /**
     * @return the rows for modification, which no other matrix shares
     */
    Rows& GetOwn();

    std::shared_ptr<Rows> m_rows; //!< The bytes by source; null for none
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAFFIC_MATRIX_H */
