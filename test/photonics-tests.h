/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PHOTONICS_TESTS_H
#define LIGHTPATH_PHOTONICS_TESTS_H

#include "model/photonics/dense-matrix.h"

#include "ns3/test.h"
#include "ns3/word-averager.h"

#include <cstdint>
#include <random>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief The words of some servers, and the averages that they should have.
 *
 * The average is the quotient of the sum and the number of servers, and one more if twice the
 * remainder is not less than that number.
 */
class WordSet
{
  public:
    /**
     * @param servers the number of servers
     */
    explicit WordSet(uint32_t servers);

    /**
     * @brief Add a word of each server.
     *
     * @param words the words
     */
    void Add(const std::vector<uint16_t>& words);

    /**
     * @brief Add all combinations of the sums of digits, each as random words that have them.
     *
     * @param digits the base-4 digits of a word
     * @param random the source of random numbers
     */
    void AddAllSums(uint32_t digits, std::mt19937& random);

    /**
     * @brief Add random words.
     *
     * @param count the number of words of each server
     * @param bits the bits of a word
     * @param random the source of random numbers
     */
    void AddRandom(std::size_t count, uint32_t bits, std::mt19937& random);

    /**
     * @param averager an averager
     * @return the averages that it gets wrong
     */
    uint64_t CountErrors(const ns3::lightpath::WordAverager& averager) const;

    /**
     * @return the words of each server
     */
    const std::vector<std::vector<uint16_t>>& GetWords() const;

    /**
     * @param averager an averager
     * @return its averages
     */
    std::vector<uint16_t> Average(const ns3::lightpath::WordAverager& averager) const;

  private:
    std::vector<std::vector<uint16_t>> m_words; //!< The words of each server
    std::vector<uint16_t> m_averages;           //!< Their averages
};

/**
 * @ingroup lightpath-tests
 * @param size the number of rows, and of columns
 * @param isReal whether the entries have no imaginary part
 * @param random the source of random numbers
 * @return a random unitary matrix
 */
ns3::lightpath::ComplexMatrix MakeRandomUnitary(std::size_t size,
                                                bool isReal,
                                                std::mt19937& random);

#endif /* LIGHTPATH_PHOTONICS_TESTS_H */
