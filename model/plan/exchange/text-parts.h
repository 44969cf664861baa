/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEXT_PARTS_H
#define TEXT_PARTS_H

#include "text-workload.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The parts of the batch that go through the stages of a text workload.
 *
 * Some files list the layers of each microbatch: as many runs of layers in a row as there are
 * microbatches, equal but for their times. The longest such runs are taken. A part is then a slice
 * of a run, and what stands before and behind the runs is done once. Otherwise a part is an equal
 * piece of each layer. Without stages, all layers are one part.
 */
class TextParts
{
  public:
    /// Successive layers, whole or in equal pieces.
    struct Piece
    {
        uint32_t begin{0}; //!< The first layer
        uint32_t end{0};   //!< The one behind the last
        uint64_t index{0}; //!< The piece of each layer, from 0
        uint64_t of{1};    //!< The pieces that each layer is cut into
    };

    /**
     * @param workload the workload; it must outlive this object
     */
    explicit TextParts(const TextWorkload& workload);

    /**
     * @return the number of parts
     */
    uint64_t GetNParts() const;

    /**
     * @return the most pieces that a layer is cut into
     */
    uint64_t GetNPieces() const;

    /**
     * @return the layers of a microbatch in words; empty if the file does not list them
     */
    std::string Describe() const;

    /**
     * @param part a part of the batch
     * @return its work
     */
    Piece GetPiece(uint64_t part) const;

    /**
     * @return the layers before those of all parts
     */
    Piece GetBefore() const;

    /**
     * @return the layers behind those of all parts
     */
    Piece GetBehind() const;

  private:
    /// Find the layers of each microbatch, where the file lists them.
    void FindRuns();

    const TextWorkload& m_workload; //!< The workload
    uint64_t m_parts{1};            //!< Number of parts
    uint32_t m_runBegin{0};         //!< The first layer of the first microbatch
    uint32_t m_runLayers{0};        //!< Layers of a microbatch; 0 if the file does not list them
};

} // namespace lightpath
} // namespace ns3

#endif /* TEXT_PARTS_H */
