// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/spaceex_xml.hpp"

#include <algorithm>

namespace clack {
namespace {

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string xml_comment(std::string text) {  // "--" must not stand in a comment
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at))
    text.replace(at, 2, "- ");
  return "<!-- " + text + " -->\n";
}

void write_params(const XmlAutomaton& xml, const std::vector<std::string>& labels,
                  const TextSink& sink) {
  for (const std::string& name : xml.variables)
    sink(
        fmt::format("    <param name=\"{}\" type=\"real\" local=\"false\" d1=\"1\" d2=\"1\" "
                    "dynamics=\"any\" />\n",
                    name));
  for (const std::string& label : labels)
    sink(fmt::format("    <param name=\"{}\" type=\"label\" local=\"false\" />\n", label));
}

}  // namespace

std::vector<std::string> variable_names(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    std::string variable;
    for (const char c : name)
      variable += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (variable.empty() || std::isdigit(static_cast<unsigned char>(variable[0])) != 0)
      variable = "x_" + variable;
    while (variable == "clock" || std::find(result.begin(), result.end(), variable) != result.end())
      variable += "_";
    result.push_back(variable);
  }
  return result;
}

void write_xml(const XmlAutomaton& xml, const TextSink& sink) {
  std::vector<std::string> labels;
  for (const XmlTransition& t : xml.transitions)
    if (std::find(labels.begin(), labels.end(), t.label) == labels.end()) labels.push_back(t.label);
  std::sort(labels.begin(), labels.end());
  sink("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  for (const std::string& comment : xml.comments) sink(xml_comment(comment));
  sink(
      "<sspaceex xmlns=\"http://www-verimag.imag.fr/xml-namespaces/sspaceex\" version=\"0.2\" "
      "math=\"SpaceEx\">\n"
      "  <component id=\"automaton\">\n");
  write_params(xml, labels, sink);
  const auto element = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) sink(fmt::format("      <{0}>{1}</{0}>\n", name, xml_text(text)));
  };
  for (std::size_t i = 0; i < xml.locations.size(); ++i) {
    const XmlLocation& location = xml.locations[i];
    sink(fmt::format(
        "    <location id=\"{}\" name=\"{}\" x=\"{}\" y=\"{}\" width=\"160\" height=\"80\">\n",
        i + 1, xml_text(location.name), 120 + 200 * (i % 8), 80 + 120 * (i / 8)));
    element("invariant", location.invariant);
    element("flow", location.flow);
    sink("    </location>\n");
  }
  for (const XmlTransition& t : xml.transitions) {
    sink(fmt::format("    <transition source=\"{}\" target=\"{}\">\n", t.source, t.target));
    element("label", t.label);
    element("guard", t.guard);
    element("assignment", t.assignment);
    sink("    </transition>\n");
  }
  sink("  </component>\n  <component id=\"system\">\n");
  write_params(xml, labels, sink);
  sink("    <bind component=\"automaton\" as=\"automaton_1\">\n");
  for (const std::vector<std::string>* names :
       {&xml.variables, static_cast<const std::vector<std::string>*>(&labels)})
    for (const std::string& name : *names)
      sink(fmt::format("      <map key=\"{0}\">{0}</map>\n", name));
  sink("    </bind>\n  </component>\n</sspaceex>\n");
}

}  // namespace clack
