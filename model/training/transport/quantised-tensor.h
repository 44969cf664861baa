/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUANTISED_TENSOR_H
#define QUANTISED_TENSOR_H

#include "model/collective/block-quantiser.h"
#include "model/device/averaged-tensor.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Numbers that a network averages as quantised words, in place.
 */
class QuantisedTensor : public AveragedTensor
{
  public:
    /**
     * @param values the numbers, which the average replaces; they must outlive this object
     * @param quantiser turns them into words
     */
    QuantisedTensor(std::vector<float>& values, Ptr<const BlockQuantiser> quantiser);

    // From AveragedTensor
    uint64_t GetNWords() const override;
    uint32_t GetBlockSize() const override;
    void GetScales(uint64_t first, std::size_t count, uint8_t* scales) const override;
    void GetWords(uint64_t first,
                  std::size_t count,
                  const uint8_t* scales,
                  uint16_t* words) override;
    void SetAverage(uint64_t first,
                    std::size_t count,
                    const uint8_t* scales,
                    const uint16_t* words) override;

  private:
    std::vector<float>& m_values;          //!< The numbers
    Ptr<const BlockQuantiser> m_quantiser; //!< Turns them into words
};

} // namespace lightpath
} // namespace ns3

#endif /* QUANTISED_TENSOR_H */
