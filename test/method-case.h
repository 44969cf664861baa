/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_METHOD_CASE_H
#define LIGHTPATH_METHOD_CASE_H

#include "test-lengths.h"

#include "ns3/test.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief A test case that calls one member function of a class of test cases.
 *
 * A class derived from TestCase holds the test cases on one subject as member functions and their
 * helper functions as private members. Each case is an object of its own, made by MakeCase().
 *
 * @tparam T the class of test cases
 */
template <class T>
class MethodCase : public T
{
  public:
    /**
     * @param name the name of the case
     * @param run the call
     */
    MethodCase(const std::string& name, std::function<void(T&)> run)
        : T(name),
          m_run(std::move(run))
    {
    }

  private:
    /// Call the member function.
    void DoRun() override
    {
        m_run(*this);
    }

    std::function<void(T&)> m_run; //!< The call
};

/**
 * @ingroup lightpath-tests
 * @brief Make a test case that calls a member function.
 *
 * @tparam T a class of test cases
 * @tparam Parameters the parameters of the member function
 * @tparam Arguments the types of the arguments
 * @param name the name of the case; the arguments are added to it
 * @param method the member function
 * @param arguments the arguments of the call
 * @return the test case
 */
template <class T, class... Parameters, class... Arguments>
ns3::TestCase*
MakeCase(const std::string& name, void (T::*method)(Parameters...), const Arguments&... arguments)
{
    std::ostringstream text;
    text << name;
    ((text << ", " << arguments), ...);
    return new MethodCase<T>(text.str(), std::bind(method, std::placeholders::_1, arguments...));
}

/**
 * @ingroup lightpath-tests
 * @brief Make a test case for each row of a table of arguments.
 *
 * @tparam T a class of test cases
 * @tparam Parameters the parameters of the member function
 * @param name the name of the cases; the arguments are added to it
 * @param method the member function
 * @param table the arguments of each call
 * @return the test cases
 */
template <class T, class... Parameters>
std::vector<ns3::TestCase*>
MakeCases(const std::string& name,
          void (T::*method)(Parameters...),
          const std::vector<std::tuple<std::decay_t<Parameters>...>>& table)
{
    std::vector<ns3::TestCase*> cases;
    for (const auto& row : table)
    {
        cases.push_back(std::apply(
            [&](const auto&... arguments) { return MakeCase(name, method, arguments...); },
            row));
    }
    return cases;
}

/**
 * @ingroup lightpath-tests
 * @brief Adds test cases to a suite, which the first to name it registers.
 *
 * A static object of this class in each file of test cases is all that their suite needs.
 */
class SuiteCases
{
  public:
    /**
     * @param suite the name of the suite
     * @param lists the test cases
     * @param length the duration of the test cases
     */
    SuiteCases(const std::string& suite,
               std::initializer_list<std::vector<ns3::TestCase*>> lists,
               decltype(TestLength::QUICK) length = TestLength::QUICK)
    {
        static std::map<std::string, std::unique_ptr<Suite>> suites;
        auto& found = suites[suite];
        if (!found)
        {
            found = std::make_unique<Suite>(suite);
        }
        for (const auto& cases : lists)
        {
            for (auto* each : cases)
            {
                found->AddTestCase(each, length);
            }
        }
    }

  private:
    /// A suite to which test cases can be added.
    class Suite : public ns3::TestSuite
    {
      public:
        using TestCase::AddTestCase;

        /**
         * @param name the name of the suite
         */
        explicit Suite(const std::string& name)
            : TestSuite(name, Type::UNIT)
        {
        }
    };
};

#endif /* LIGHTPATH_METHOD_CASE_H */
