/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXCHANGE_LIGHT_H
#define EXCHANGE_LIGHT_H

#include "task-partners.h"

#include "ns3/rank-program.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief When there is light for the all-to-alls of experts, where circuits change for those of the
 * next layer (MixNetHelper).
 *
 * After an all-to-all circuits change at once if the next one is of another layer than they are
 * for, and its tokens have been spread. They are then dark, so that the next one waits.
 */
class ExchangeLight
{
  public:
    /**
     * @param partners the tasks of all classes, which must outlive this object
     * @param programs the program of each class; null if circuits do not follow its exchanges
     * @param seconds the time for which circuits are dark
     */
    ExchangeLight(const TaskPartners& partners,
                  const std::vector<const RankProgram*>& programs,
                  double seconds);

    /**
     * @param operation a collective operation that ends
     * @param now the time, seconds
     */
    void End(const TaskPartners::Operation& operation, double now);

    /**
     * @param operation a collective operation
     * @return the time from which on there is light for it, seconds
     */
    double GetBegin(const TaskPartners::Operation& operation) const;

  private:
    /// The layer of no circuits.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// The circuits of a class.
    struct Circuits
    {
        const RankProgram* program{nullptr}; //!< Its program
        std::vector<uint32_t> exchanges;     //!< The all-to-alls of experts in it
        uint32_t layer{NONE};                //!< The layer that the circuits are for
        double begin{0};                     //!< Since when they have light, seconds
    };

    const TaskPartners& m_partners;   //!< The tasks
    double m_seconds;                 //!< The time for which circuits are dark
    std::vector<Circuits> m_circuits; //!< By class
};

} // namespace lightpath
} // namespace ns3

#endif /* EXCHANGE_LIGHT_H */
