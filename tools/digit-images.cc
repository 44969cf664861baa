/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "digit-images.h"

#include <fstream>
#include <stdexcept>

namespace
{

/// The signs of the pixels, in ascending order of ink.
const std::string SIGNS = "0123456789abcdefg";

/// Pixels of an image.
constexpr std::size_t PIXELS = 64;

/**
 * @param line a line of a file
 * @param [out] image the image that it holds
 * @return false if it holds none
 */
bool
ParseImage(const std::string& line, DigitImage& image)
{
    if (line.size() != PIXELS + 1 || line.back() < '0' || line.back() > '9')
    {
        return false;
    }
    for (std::size_t i = 0; i < PIXELS; ++i)
    {
        const auto ink = SIGNS.find(line[i]);
        if (ink == std::string::npos)
        {
            return false;
        }
        image.pixels[i] = static_cast<float>(ink) / static_cast<float>(SIGNS.size() - 1);
    }
    image.digit = line.back() - '0';
    return true;
}

} // namespace

std::vector<DigitImage>
ReadDigitImages(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        throw std::invalid_argument("The images cannot be read from " + path +
                                    ": name the file optical-digits.txt of the module by --data");
    }
    std::vector<DigitImage> images;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number)
    {
        if (line.empty() || line.front() == '#')
        {
            continue;
        }
        DigitImage image;
        if (!ParseImage(line, image))
        {
            throw std::invalid_argument("Line " + std::to_string(number) + " of " + path +
                                        " is no image: it must have 64 pixels from 0 to g, and the "
                                        "digit that they show");
        }
        images.push_back(image);
    }
    return images;
}
