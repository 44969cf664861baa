/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_RECORD_H
#define JOB_RECORD_H

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What a JobRecorder has seen of a training job: when tasks and messages began and ended.
 */
struct JobRecord
{
    /// No rank, message or fabric.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// The time of what has not happened.
    static Time Never()
    {
        return Time::Max();
    }

    /// Times of a task.
    struct TaskTimes
    {
        Time begin{Never()};     //!< When it began
        Time operation{Never()}; //!< When its collective operation began, after the launch
        Time end{Never()};       //!< When it ended
    };

    /// Where a message is recorded.
    struct MessageRef
    {
        uint32_t iteration{NONE}; //!< The iteration that it belongs to
        uint32_t index{NONE};     //!< Its index among the messages of the iteration
    };

    /// A message. The network averages one that a rank sends to itself.
    struct Message
    {
        /**
         * @return true if one transmitter sent all of it, the times of which are recorded
         */
        bool IsSplit() const
        {
            return isWhole && ended <= received;
        }

        uint64_t tag{0};        //!< Its MessageTag
        uint64_t bytes{0};      //!< Its size in bytes
        Time sent;              //!< When it was handed over
        Time begun{Never()};    //!< When its transmission began
        Time ended{Never()};    //!< When its last bit had been sent
        Time received{Never()}; //!< When it had arrived
        uint32_t source{0};     //!< Rank that sends it
        uint32_t peer{0};       //!< Rank that it is for
        uint32_t behind{NONE};  //!< Index of the message that it waited for at its transmitter
        uint16_t fabric{0};     //!< Fabric that transmits it
        bool isWhole{false};    //!< The transmitter has sent all of it
        int8_t ahead{0};        //!< Iterations by which the one that it waited for was ahead
    };

    /// A darkness in the middle of a transmission.
    struct Cut
    {
        uint32_t message{0}; //!< Index of the message
        Time begin;          //!< When its lightpath went dark
        Time end{Never()};   //!< When a lightpath came up again
    };

    /// One iteration, as far as ranks have come.
    struct Iteration
    {
        std::vector<std::vector<TaskTimes>> tasks; //!< Times by rank and index of the task
        std::deque<Message> messages;              //!< Messages in the order of their sending
        std::vector<Cut> cuts;                     //!< Darkness in the order of its beginning
    };

    /// A time in which circuits are switched.
    struct Switching
    {
        Time dark;           //!< When it began
        Time light{Never()}; //!< When the new circuits carried light
    };

    /// A fabric of circuits, or one that averages.
    struct Fabric
    {
        std::vector<Switching> switchings; //!< Switchings in the order of time
        Time firstLight{Never()};          //!< When the first circuits carried light
        bool followsPhases{false};         //!< Whether phases of the job lead to decisions
        /// Average that an average waited for, by tag
        std::map<uint64_t, uint64_t> behind;
        uint64_t lastAverage{0}; //!< Tag of the average whose slot was granted last
    };

    /// The beginning of a phase of an iteration.
    struct Phase
    {
        Time begin;            //!< When it began
        uint32_t iteration{0}; //!< The iteration, from 0
        uint32_t phase{0};     //!< The phase, from 0
    };

    /**
     * @param ref where a message is recorded
     * @return the message; null if there is none
     */
    const Message* Find(MessageRef ref) const
    {
        const auto found = iterations.find(ref.iteration);
        return found == iterations.end() || ref.index >= found->second.messages.size()
                   ? nullptr
                   : &found->second.messages[ref.index];
    }

    /**
     * @param ref where a message is recorded
     * @return where the message is recorded that it waited for at its transmitter
     */
    MessageRef GetBehind(MessageRef ref) const
    {
        const Message& message = *Find(ref);
        return {ref.iteration + message.ahead, message.behind};
    }

    std::map<uint32_t, Iteration> iterations; //!< The iterations, by number
    std::vector<Fabric> fabrics;              //!< The fabrics
    std::vector<Phase> phases;                //!< Phases in the order of time
};

} // namespace lightpath
} // namespace ns3

#endif /* JOB_RECORD_H */
