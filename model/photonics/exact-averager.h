/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXACT_AVERAGER_H
#define EXACT_AVERAGER_H

#include "word-averager.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Averages words by integer arithmetic, without delay: the reference for other averagers.
 */
class ExactAverager : public WordAverager
{
  public:
    /// How an average is rounded to a word.
    enum Rounding
    {
        FLOOR,    //!< Down
        HALF_UP,  //!< To the nearest word, up if there are two
        HALF_EVEN //!< To the nearest word, the even one if there are two
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Average(const std::vector<const uint16_t*>& words,
                 std::size_t count,
                 uint16_t* average) const override;

    /**
     * Average the words of any number of servers.
     *
     * @param words the words of each server
     * @param count the number of words of each
     * @param rounding how an average is rounded to a word
     * @param [out] average where the averages go
     */
    static void Average(const std::vector<const uint16_t*>& words,
                        std::size_t count,
                        Rounding rounding,
                        uint16_t* average);

  private:
    Rounding m_rounding; //!< Rounding of an average to a word
};

} // namespace lightpath
} // namespace ns3

#endif /* EXACT_AVERAGER_H */
