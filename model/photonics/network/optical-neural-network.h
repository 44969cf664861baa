/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_NEURAL_NETWORK_H
#define OPTICAL_NEURAL_NETWORK_H

#include "network-weights.h"
#include "optical-layer.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A network of layers of interferometers, with a rectifier behind each layer but the last.
 *
 * It computes with its weights as they are given, until meshes are built; then with the weights
 * that the meshes make, as computed or as real. These are composed once, so that samples cost no
 * more than products of matrices.
 */
class OpticalNeuralNetwork
{
  public:
    /**
     * @brief Make a network. Refuses layers that do not fit one another by std::invalid_argument.
     *
     * @param weights the weights
     */
    explicit OpticalNeuralNetwork(NetworkWeights weights);

    /**
     * @brief Find the phases of meshes that make the weights, and compute with these.
     *
     * @param arrangement where the interferometers of a mesh stand
     */
    void BuildMeshes(MziMesh::Arrangement arrangement);

    /**
     * @brief Compute with real meshes, whose imperfections are drawn now. There must be meshes.
     *
     * @param imperfections how real interferometers differ
     */
    void Realise(const MeshImperfections& imperfections);

    /**
     * @param samples the number of samples
     * @param in their inputs, a row for each sample
     * @param out where their outputs go, a row for each sample
     */
    void Evaluate(std::size_t samples, const double* in, double* out) const;

    /**
     * @return the number of inputs
     */
    std::size_t GetNInputs() const;

    /**
     * @return the number of outputs
     */
    std::size_t GetNOutputs() const;

    /**
     * @return the outputs of all layers together
     */
    std::size_t GetNLayerOutputs() const;

    /**
     * @return the number of layers
     */
    uint32_t GetNLayers() const;

    /**
     * @return the interferometers of all meshes, attenuators included; 0 without meshes
     */
    uint32_t GetNElements() const;

    /**
     * @return the columns that light goes through in all layers; 0 without meshes
     */
    uint32_t GetNColumns() const;

    /**
     * @param layer the index of a layer
     * @param imperfections the losses of interferometers
     * @return the gain of amplitudes that the layer needs, in decibels. There must be meshes.
     */
    double GetGainDb(uint32_t layer, const MeshImperfections& imperfections) const;

  private:
    NetworkWeights m_weights;           //!< The weights as they were given
    std::vector<OpticalLayer> m_meshes; //!< The meshes as computed, one set a layer, or none
    std::vector<RealMatrix> m_composed; //!< The weights to compute with
    std::size_t m_width;                //!< The outputs of the widest layer
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_NEURAL_NETWORK_H */
