/// A host, with its port where one is written.
struct HostAndPort: Hashable, Sendable {
    let host: String
    let port: Int?

    init(host: String) {
        (self.host, port) = (host, nil)
    }

    /// `broker.example`, `broker.example:8883`, `192.0.2.1:8883`, `[2001:db8::1]:8883`, `2001:db8::1`.
    init?(_ text: String) {
        var (host, port) = (text[...], Substring?.none)
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":"), host.contains(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.filter({ $0 == ":" }).count == 1, let colon = text.firstIndex(of: ":") {
            (host, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        guard isHost(String(host)) else { return nil }
        self.host = String(host)
        guard let port else {
            self.port = nil
            return
        }
        guard port.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(port), (1...65_535).contains(number)
        else { return nil }
        self.port = number
    }
}

extension Form where Value == [HostAndPort] {
    /// - Parameter count: the most there may be.
    static func hosts(count: Int) -> Form {
        Form("a list of 1 to \(count) hosts such as [\"a.example:8883\", \"b.example\"]") { value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard (1...count).contains(nodes.count) else {
                return .refused(nodes.isEmpty ? "name at least one" : "shorten the list")
            }
            var hosts: [HostAndPort] = []
            for node in nodes {
                guard case .string(let text) = node.value, let host = HostAndPort(text) else {
                    return .refused(
                        "correct \(node.value): a host name or an address, then : and its port, if any")
                }
                guard !hosts.contains(host) else { return .refused("write \(node.value) once") }
                hosts.append(host)
            }
            return .accepted(hosts)
        }
    }
}
