/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "svg-document.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <locale>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param turn a place on the wheel of colours, in turns from red
 * @param shift where one of red, green and blue is on the wheel
 * @param low its least value
 * @param high its largest value
 * @return its value
 */
int
GetChannel(double turn, double shift, double low, double high)
{
    // The distance round the wheel: full up to a sixth, none from a third on
    const double distance = std::abs(std::remainder(turn - shift, 1.0));
    const double share = std::min(std::max(2 - 6 * distance, 0.0), 1.0);
    return static_cast<int>(std::lround(low + share * (high - low)));
}

} // namespace

SvgDocument::SvgDocument(const std::string& title)
    : m_title(title)
{
    m_body.imbue(std::locale::classic());
    m_body << std::fixed << std::setprecision(2);
}

void
SvgDocument::AddRectangle(double x,
                          double y,
                          double width,
                          double height,
                          const std::string& fill,
                          const std::string& stroke,
                          const std::string& tip)
{
    m_body << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\""
           << height << "\" fill=\"" << Escape(fill) << "\"";
    if (!stroke.empty())
    {
        m_body << " stroke=\"" << Escape(stroke) << "\" stroke-width=\"0.5\"";
    }
    if (tip.empty())
    {
        m_body << "/>\n";
    }
    else
    {
        m_body << "><title>" << Escape(tip) << "</title></rect>\n";
    }
    Include(x + width, y + height);
}

void
SvgDocument::AddLine(double x1, double y1, double x2, double y2, const std::string& stroke)
{
    m_body << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2
           << "\" stroke=\"" << Escape(stroke) << "\" stroke-width=\"0.5\"/>\n";
    Include(std::max(x1, x2), std::max(y1, y2));
}

void
SvgDocument::AddText(double x, double y, double size, Anchor anchor, const std::string& text)
{
    static const char* const anchors[] = {"start", "middle", "end"};
    m_body << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"" << size
           << "\" text-anchor=\"" << anchors[anchor] << "\">" << Escape(text) << "</text>\n";
    static const double rightOf[] = {1, 0.5, 0};
    Include(x + rightOf[anchor] * GetTextWidth(text, size), y);
}

void
SvgDocument::AddUpwardText(double x, double y, double size, const std::string& text)
{
    m_body << "<text transform=\"translate(" << x << ' ' << y << ") rotate(-90)\" font-size=\""
           << size << "\" text-anchor=\"middle\">" << Escape(text) << "</text>\n";
    Include(x, y);
}

double
SvgDocument::GetTextWidth(const std::string& text, double size)
{
    // Bytes within a letter of UTF-8 do not begin one
    const auto letters = std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    });
    return 0.6 * size * letters;
}

std::string
SvgDocument::GetColour(uint32_t index)
{
    // Steps of the golden section keep any number of hues apart
    const double turn = std::fmod(index * 0.618033988749895, 1.0);
    const double high = index % 2 == 0 ? 245 : 215;
    const double low = index % 2 == 0 ? 130 : 95;
    std::ostringstream colour;
    colour << '#' << std::hex << std::setfill('0');
    for (const double shift : {0.0, 1.0 / 3, 2.0 / 3})
    {
        colour << std::setw(2) << GetChannel(turn, shift, low, high);
    }
    return colour.str();
}

void
SvgDocument::Print(std::ostream& os) const
{
    constexpr int margin = 16;
    const auto width = static_cast<int64_t>(std::ceil(m_width)) + margin;
    const auto height = static_cast<int64_t>(std::ceil(m_height)) + margin;
    os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
       << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
       << "\" viewBox=\"0 0 " << width << ' ' << height
       << "\" font-family=\"Helvetica, Arial, sans-serif\" fill=\"#222222\">\n"
       << "<title>" << Escape(m_title) << "</title>\n"
       << "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
       << "<rect width=\"6\" height=\"6\" fill=\"#f4f4f4\"/>"
       << "<path d=\"M-1 1L1 -1M0 6L6 0M5 7L7 5\" stroke=\"#a03030\" stroke-width=\"1\"/>"
       << "</pattern></defs>\n"
       << "<rect width=\"" << width << "\" height=\"" << height << "\" fill=\"#ffffff\"/>\n"
       << m_body.str() << "</svg>\n";
}

std::string
SvgDocument::Escape(const std::string& text)
{
    static const std::string special = "&<>\"'";
    static const char* const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    std::string escaped;
    for (const char letter : text)
    {
        const auto found = special.find(letter);
        if (found != std::string::npos)
        {
            escaped += names[found];
        }
        else if (static_cast<unsigned char>(letter) >= 0x20 || letter == '\t' || letter == '\n')
        {
            escaped += letter;
        }
    }
    return escaped;
}

void
SvgDocument::Include(double x, double y)
{
    m_width = std::max(m_width, x);
    m_height = std::max(m_height, y);
}

} // namespace lightpath
} // namespace ns3
