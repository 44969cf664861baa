/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORD_AVERAGER_H
#define WORD_AVERAGER_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Averages the words of several servers, like an optical network between them.
 *
 * A word is a number of Bits bits in offset binary, from 0 to 2^Bits - 1, whose base-4 digits
 * travel as Bits / 2 symbols of four levels (PAM4). The average is a word, too.
 *
 * The delay is that of light through the columns of interferometers, one after the other, and of
 * the activations between the layers of a network.
 */
class WordAverager : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// The most servers whose words are averaged.
    static constexpr uint32_t MOST_SERVERS = 1024;

    /**
     * @brief Average words.
     *
     * @param words the words of each server, at least as many as are averaged
     * @param count the number of words of each server
     * @param average where the averages go, one a word
     */
    virtual void Average(const std::vector<const uint16_t*>& words,
                         std::size_t count,
                         uint16_t* average) const = 0;

    /**
     * @return whether the same words always have the same average
     */
    virtual bool IsDeterministic() const;

    /**
     * @param stream the first of the random streams to use
     * @return the number of streams used: none in the base class
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @return the columns of interferometers that light goes through
     */
    virtual uint32_t GetNColumns() const;

    /**
     * @return the activations that light goes through, one after the other, the detectors at the
     *         outputs included
     */
    virtual uint32_t GetNActivations() const;

    /**
     * @return the servers whose words are averaged
     */
    virtual uint32_t GetNServers() const;

    /**
     * @return the bits of a word
     */
    virtual uint32_t GetBits() const;

    /**
     * @return the base-4 digits of a word
     */
    uint32_t GetNDigits() const;

    /**
     * @return the delay from the words to their average
     */
    virtual Time GetDelay() const;

  private:
    /**
     * Throws std::invalid_argument for an odd number.
     *
     * @param bits the bits of a word
     */
    void SetBits(uint32_t bits);

    uint32_t m_servers;         //!< The servers whose words are averaged
    uint32_t m_bits;            //!< The bits of a word
    double m_columnLengthMm;    //!< The length of a column of interferometers, in millimetres
    double m_groupIndex;        //!< The group index of the waveguides
    double m_activationDelayPs; //!< The delay of an activation, in picoseconds
};

} // namespace lightpath
} // namespace ns3

#endif /* WORD_AVERAGER_H */
