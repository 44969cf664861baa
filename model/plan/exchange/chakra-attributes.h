/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_ATTRIBUTES_H
#define CHAKRA_ATTRIBUTES_H

#include "chakra-node.h"

#include "ns3/collective-schedule.h"
#include "ns3/operator-graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The attributes of a node of a Chakra trace that matter: those that ASTRA-sim reads, and
 * those of this module (chakra-format.h).
 */
struct ChakraAttributes
{
    /**
     * Throws std::invalid_argument, with a sentence that lacks its subject, for values that are not
     * possible.
     *
     * @param attributes all attributes of the node
     */
    explicit ChakraAttributes(const std::vector<ChakraAttribute>& attributes);

    bool isHost{false};                  //!< Whether the node runs on the host
    std::optional<double> flops;         //!< Floating-point operations
    std::optional<uint64_t> tensorBytes; //!< Bytes of memory that are moved
    std::optional<uint64_t> commType;    //!< Collective operation
    std::optional<uint64_t> bytes;       //!< Size of a message or a buffer
    std::optional<uint64_t> source;      //!< Rank that sends
    std::optional<uint64_t> destination; //!< Rank that receives
    uint32_t tag{0};                     //!< Tag of a message
    std::string group;                   //!< Name of a group of ranks
    std::vector<double> dims;            //!< Dimensions that take part
    std::optional<double> seconds;       //!< Exact time, seconds
    std::optional<uint64_t> exactBytes;  //!< Exact size
    std::optional<uint32_t> operation;   //!< Task::operation
    bool isSendRecv{false};              //!< Whether it is half of a ring of messages
    std::optional<uint32_t> kind;        //!< Task::group
    uint32_t phase{0};                   //!< Task::phase
    Pass pass{Pass::FORWARD};            //!< Task::pass
    CollectiveOptions options;           //!< Task::options

  private:
    /**
     * @param attribute an attribute of Chakra
     * @return false if it is none that matters
     */
    bool Take(const ChakraAttribute& attribute);

    /**
     * @param attribute an attribute of this module
     */
    void TakeOwn(const ChakraAttribute& attribute);

    /**
     * @param attribute an attribute of this module, on how a collective operation is carried out
     */
    void TakeOption(const ChakraAttribute& attribute);

    /**
     * @param attribute an attribute of this module, on the axes of a torus
     */
    void TakeAxes(const ChakraAttribute& attribute);

    /**
     * @param attribute an attribute of this module, on the tokens that an all-to-all carries
     */
    void TakeRouting(const ChakraAttribute& attribute);
};

} // namespace lightpath
} // namespace ns3

#endif /* CHAKRA_ATTRIBUTES_H */
