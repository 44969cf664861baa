/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_OPTION_VALUES_H
#define LIGHTPATH_OPTION_VALUES_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lightpath
 * The values of options. Text that has no such value ends in std::invalid_argument, which says how
 * to write it.
 */

/**
 * @ingroup lightpath
 * @param text names separated by commas
 * @return the names
 */
std::vector<std::string> SplitList(const std::string& text);

/**
 * @ingroup lightpath
 * @param names names
 * @param last the separator before the last name, like " and "
 * @return the names, with commas between all but the last two
 */
std::string JoinList(const std::vector<std::string>& names, const std::string& last = ", ");

/**
 * @ingroup lightpath
 * @brief Refuse options that a check has something against.
 *
 * @param refusal the sentence of the check; empty if it found nothing wrong
 */
void Require(const std::string& refusal);

/**
 * @ingroup lightpath
 * @param option the name of the option
 * @param word the word that it was given
 * @param known the words that the option takes, each with its meaning
 * @return the meaning of the word
 */
std::string ParseWord(const std::string& option,
                      const std::string& word,
                      const std::vector<std::pair<std::string, std::string>>& known);

/**
 * @ingroup lightpath
 * @brief Refuse a number that is out of range.
 *
 * @param option the name of the option
 * @param value the number that it was given
 * @param least the smallest number allowed
 * @param most the largest number allowed
 */
void CheckRange(const std::string& option, int64_t value, int64_t least, int64_t most);

/**
 * @ingroup lightpath
 * @param option the name of the option
 * @param text a whole number
 * @param least the smallest number allowed
 * @param most the largest number allowed
 * @return the number
 */
int64_t ParseNumber(const std::string& option,
                    const std::string& text,
                    int64_t least,
                    int64_t most);

/**
 * @ingroup lightpath
 * @param text a time like 25us, in one of ns-3's units from h to fs
 * @return the time
 */
ns3::Time ParseTime(const std::string& text);

/**
 * @ingroup lightpath
 * @param text a data rate as ns-3 writes it, or in Tbps or Tb/s
 * @return the rate
 */
ns3::DataRate ParseRate(std::string text);

/**
 * @ingroup lightpath
 * @param text a size like 64, 1kB, 1MB, 1GB (powers of 1000) or 1KiB, 1MiB, 1GiB (of 1024)
 * @return the size in bytes
 */
uint64_t ParseBytes(const std::string& text);

/**
 * @ingroup lightpath
 * @param text "unlimited", or the size of a memory
 * @return the size in bytes
 */
uint64_t ParseMemory(const std::string& text);

/**
 * @ingroup lightpath
 * @param text "burst", or the size of a frame
 * @return the FrameSize of a CircuitTransport
 */
uint64_t ParseFrameSize(const std::string& text);

/**
 * @ingroup lightpath
 * @param checker the checker of an attribute
 * @return the kind of its values: Time, Enum, Uinteger, Boolean...
 */
std::string GetKind(ns3::Ptr<const ns3::AttributeChecker> checker);

/**
 * @ingroup lightpath
 * @brief Make the value of an attribute from text, also where ns-3 would end the program.
 *
 * @param checker the checker of the attribute
 * @param text the text
 * @return the value; null if it cannot be one
 */
ns3::Ptr<ns3::AttributeValue> MakeValue(ns3::Ptr<const ns3::AttributeChecker> checker,
                                        const std::string& text);

/**
 * @ingroup lightpath
 * @param type a type
 * @param setting the setting of an attribute, like Name=Value
 * @return whether the type has the attribute
 */
bool HasAttribute(ns3::TypeId type, const std::string& setting);

/**
 * @ingroup lightpath
 * @brief Split the setting of an attribute. A type without the attribute and a value that the
 * attribute cannot have are refused.
 *
 * @param type the type that has the attribute
 * @param setting the setting, like Name=Value
 * @return name and value
 */
std::pair<std::string, std::string> ParseAttribute(ns3::TypeId type, const std::string& setting);

/**
 * @ingroup lightpath
 * @brief Refuse text that is not an object with its attributes, at which ns-3 would end the
 * program.
 *
 * @param text a type with attributes, like ns3::NormalRandomVariable[Mean=1|Bound=0.2]
 */
void CheckObject(const std::string& text);

#endif /* LIGHTPATH_OPTION_VALUES_H */
