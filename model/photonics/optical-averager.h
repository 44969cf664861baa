/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_AVERAGER_H
#define OPTICAL_AVERAGER_H

#include "averager-link.h"
#include "word-averager.h"

#include <vector>

namespace ns3
{

class UniformRandomVariable;

namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Averages words like another averager, but with the errors of the light that carries them.
 *
 * The averager takes the mean of a digit for the next one with the probabilities of an
 * AveragerLink, as if the digit of a server were larger or smaller by one. A digit of the average
 * is taken for the next one, too, by all servers alike: they get the same frame.
 */
class OpticalAverager : public WordAverager
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    OpticalAverager();

    void Average(const std::vector<const uint16_t*>& words,
                 std::size_t count,
                 uint16_t* average) const override;
    bool IsDeterministic() const override;
    uint32_t GetNColumns() const override;
    uint32_t GetNActivations() const override;
    Time GetDelay() const override;

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// Probabilities of taking each level but the highest for the next one.
    using LevelErrors = std::vector<double>;

    /**
     * Draw whether a level is taken for another.
     *
     * @param errors the probabilities
     * @param most a bound on the probability of any level
     * @param getLevel returns the level
     * @return 1 if it is taken for the next higher one, -1 for the next lower one, otherwise 0
     */
    template <typename F>
    int DrawShift(const LevelErrors& errors, double most, F getLevel) const;

    /**
     * @param words the words of each server
     * @param count the number of words of each
     * @param [out] average where their averages without errors go
     */
    void AverageRight(const std::vector<const uint16_t*>& words,
                      std::size_t count,
                      uint16_t* average) const;

    /**
     * @return the light; that of default attributes if none is set
     */
    Ptr<AveragerLink> GetLink() const;

    Ptr<WordAverager> m_averager;        //!< Averager without errors; null for exact
    Ptr<AveragerLink> m_link;            //!< Light
    Ptr<UniformRandomVariable> m_random; //!< Draws errors
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_AVERAGER_H */
