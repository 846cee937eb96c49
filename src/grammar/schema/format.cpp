#include "grammar/schema/format.h"

#include "base/text.h"

namespace ingle::grammar {

namespace {

// RFC 3339: days that exist, leap years included.
const std::string date =
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|"
    "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|"
    "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)";
// Leap seconds in UTC only.
const std::string time =
    "(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?"
    "(?:[zZ]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])|23:59:60(?:\\.[0-9]+)?(?:[zZ]|[+-]00:00))";
const std::string label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const std::string octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const std::string ipv4 = octet + "(?:\\." + octet + "){3}";

std::string ipv6() {
    const std::string h = "[0-9A-Fa-f]{1,4}", last = "(?:" + h + ":" + h + "|" + ipv4 + ")";
    const auto times = [](const std::string& part, int n) { return cat("(?:", part, "){", n, "}"); };
    const std::string pair = h + ":";
    std::string out = times(pair, 6) + last + "|::" + times(pair, 5) + last;
    for (int before = 0; before <= 4; ++before)
        out += cat("|(?:(?:", h, ":){0,", before, "}", h, ")?::", times(pair, 4 - before), last);
    return out + cat("|(?:(?:", h, ":){0,5}", h, ")?::", h, "|(?:(?:", h, ":){0,6}", h, ")?::");
}

// RFC 3986; `unreserved` may add characters of IRIs.
struct Uri {
    std::string reference, absolute;
    Uri(const std::string& more, const std::string& more_in_query) {
        const std::string encoded = "%[0-9A-Fa-f]{2}";
        const std::string plain = "[A-Za-z0-9._~!$&'()*+,;=" + more + "-]";
        const std::string pchar = "(?:[A-Za-z0-9._~!$&'()*+,;=:@" + more + "-]|" + encoded + ")";
        const std::string segments = "(?:/" + pchar + "*)*";
        const std::string host =
            "(?:\\[(?:" + ipv6() + "|[vV][0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\\]|(?:" + plain +
            "|" + encoded + ")*)";
        const std::string user = "(?:(?:[A-Za-z0-9._~!$&'()*+,;=:" + more + "-]|" + encoded + ")*@)?";
        const std::string authority = "//" + user + host + "(?::[0-9]*)?" + segments;
        const std::string rest = "(?:\\?(?:" + pchar + "|[/?" + more_in_query + "])*)?(?:#(?:" + pchar + "|[/?])*)?";
        const std::string rooted = "/(?:" + pchar + "+" + segments + ")?";
        const std::string rootless = pchar + "+" + segments;
        const std::string relative = "(?:[A-Za-z0-9._~!$&'()*+,;=@" + more + "-]|" + encoded + ")+" + segments;
        absolute = "[A-Za-z][A-Za-z0-9+.-]*:(?:" + authority + "|" + rooted + "|" + rootless + ")?" + rest;
        reference = absolute + "|(?:" + authority + "|" + rooted + "|" + relative + ")?" + rest;
    }
};

constexpr char iri_characters[] =
    "\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}"
    "\\u{30000}-\\u{3fffd}\\u{e1000}-\\u{efffd}";

constexpr char private_characters[] = "\\ue000-\\uf8ff\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}";

const std::string duration =
    "P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
    "(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?|"
    "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))";

// RFC 5321: dot-strings and quoted strings at a host name or an address.
std::string email() {
    const std::string atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
    const std::string text = "\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*\"";
    return "(?:" + atom + "(?:\\." + atom + ")*|" + text + ")@(?:" + label + "(?:\\." + label + ")*|\\[" + ipv4 +
           "\\]|\\[IPv6:(?:" + ipv6() + ")\\])";
}

constexpr std::string_view names[] = {"date", "time", "date-time", "duration", "email", "hostname",
                                      "ipv4", "ipv6", "uuid", "uri", "uri-reference", "iri",
                                      "iri-reference", "json-pointer", "relative-json-pointer"};

}  // namespace

std::string format_pattern(std::string_view name) {
    if (name == "date") return date;
    if (name == "time") return time;
    if (name == "date-time") return date + "[tT]" + time;
    if (name == "duration") return duration;
    if (name == "email") return email();
    if (name == "hostname") // Labels in punycode cannot be checked, so there are none.
        return "(?=.{1,253}$)(?!(?:.*\\.)?[xX][nN]--)" + label + "(?:\\." + label + ")*";
    if (name == "ipv4") return ipv4;
    if (name == "ipv6") return ipv6();
    if (name == "uuid")
        return "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}";
    if (name == "uri") return Uri("", "").absolute;
    if (name == "uri-reference") return Uri("", "").reference;
    if (name == "iri") return Uri(iri_characters, private_characters).absolute;
    if (name == "iri-reference") return Uri(iri_characters, private_characters).reference;
    if (name == "json-pointer") return "(?:/(?:[^~/]|~[01])*)*";
    if (name == "relative-json-pointer")
        return "(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)";
    return "";
}

std::string known_formats() {
    std::string out;
    for (const std::string_view name : names) out += cat(out.empty() ? "" : ", ", name);
    return out;
}

}  // namespace ingle::grammar
