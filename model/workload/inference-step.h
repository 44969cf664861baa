/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFERENCE_STEP_H
#define INFERENCE_STEP_H

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A step of inference: the prefill of a prompt, whose tokens are all new, or a step of the
 * decode phase, in which the last generated token is new and attends to the cached keys and values
 * of those before it.
 */
struct InferenceStep
{
    uint64_t tokens{1};    //!< New tokens of each sequence, of which the last predicts the next
    uint64_t cached{0};    //!< Tokens before them, whose keys and values are in memory
    uint64_t capacity{0};  //!< Tokens of a sequence that the cache must have room for; 0 for all of
                           //!< the above
    uint64_t sequences{0}; //!< Sequences that each set of experts works on at a time, which may be
                           //!< too few to need them all; 0 if they need them all
    uint64_t gpus{1};      //!< GPUs that share each operator; each keeps a copy of the keys and
                           //!< values that its heads of queries read
};

} // namespace lightpath
} // namespace ns3

#endif /* INFERENCE_STEP_H */
