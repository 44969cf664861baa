/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_AVERAGER_H
#define NETWORK_AVERAGER_H

#include "model/photonics/mesh-imperfections.h"
#include "model/photonics/mzi-mesh.h"
#include "network-weights.h"
#include "optical-neural-network.h"

#include "ns3/word-averager.h"

#include <memory>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Averages words by an optical neural network.
 *
 * Its inputs are the means of each digit over the servers, as light of all servers has them when it
 * is merged; each output is taken for the nearest of the four levels. The network is built when it
 * is first needed, and attributes that are set later do not change it.
 */
class NetworkAverager : public WordAverager
{
  public:
    /// Where the weights come from.
    enum Kind
    {
        CONSTRUCTIVE, //!< From a formula: exact for any number of servers and bits
        TRAINED       //!< From a file
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Average(const std::vector<const uint16_t*>& words,
                 std::size_t count,
                 uint16_t* average) const override;

    bool IsDeterministic() const override;

    uint32_t GetNColumns() const override;

    uint32_t GetNActivations() const override;

    /**
     * @return the network
     */
    const OpticalNeuralNetwork& GetNetwork() const;

    /// Draw the imperfections of the meshes anew.
    void Realise();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /**
     * Refuses, by std::invalid_argument, weights that are for other words.
     *
     * @return the weights of the network
     */
    NetworkWeights GetWeights() const;

    /// Build the network, unless there is one.
    void Build() const;

    /**
     * @brief Turn outputs into words.
     *
     * @param outputs the outputs of the network, a row for each word
     * @param count the number of words
     * @param average where the words go
     */
    void Detect(const std::vector<double>& outputs, std::size_t count, uint16_t* average) const;

    Kind m_kind;                            //!< Where the weights come from
    NetworkWeights::Form m_form;            //!< The form of weights that are shipped
    std::string m_weightsFile;              //!< The file of the weights
    bool m_onMesh;                          //!< Whether meshes make the weights
    MziMesh::Arrangement m_arrangement;     //!< Where the interferometers of a mesh stand
    Ptr<MeshImperfections> m_imperfections; //!< How real interferometers differ, if they do

    mutable std::unique_ptr<OpticalNeuralNetwork> m_network; //!< The network, if it is built
};

} // namespace lightpath
} // namespace ns3

#endif /* NETWORK_AVERAGER_H */
