import GatewayModel

/// A host, with its port where one is written.
public struct HostAndPort: Hashable, Sendable {
    public let host: String
    public let port: Int?

    public init(host: String) {
        (self.host, port) = (host, nil)
    }

    /// `broker.example`, `broker.example:8883`, `192.0.2.1:8883`, `[2001:db8::1]:8883`, `2001:db8::1`.
    public init?(_ text: String) {
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
    public static func hosts(count: Int) -> Form {
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

extension Form where Value == String {
    /// The absolute path of a file. Whether it exists is not the parser's question.
    ///
    /// - Parameters:
    ///   - bytes: the most it may have; `PATH_MAX` is 4096 with the terminator.
    ///   - content: `free` for a file of another program, or a socket.
    public static func filePath(bytes: Int = 4095, content: KeyContent = .file) -> Form {
        let limit = bytes == 4095 ? "" : " of at most \(bytes) bytes"
        return text("the absolute path of a file\(limit)", content: content) { text in
            guard text.hasPrefix("/") else { return .refused("begin it with /") }
            guard !text.hasSuffix("/") else { return .refused("name the file, not its directory") }
            guard text.utf8.count <= bytes else { return .refused("shorten it") }
            return .accepted(text)
        }
    }

    public static var directoryPath: Form {
        text("the absolute path of a directory") { text in
            guard text.hasPrefix("/") else { return .refused("begin it with /") }
            guard text.utf8.count <= 4095 else { return .refused("shorten it") }
            return .accepted(text)
        }
    }

    /// A host name or an address, IPv6 without brackets. Names of other scripts in their ASCII form.
    public static var host: Form {
        text("a host name or an IP address") { text in
            guard !text.contains("/") else { return .refused("write the host alone, without scheme and path") }
            guard text.filter({ $0 == ":" }).count != 1 else {
                return .refused("write the host alone; the port has its own key")
            }
            return isHost(text) ? .accepted(text) : .refused("use letters, digits, '.', '-', and ':' in IPv6")
        }
    }
}

extension Form where Value == CredentialFile {
    /// A file with a secret: an absolute path, or one that systemd hands over.
    /// - Parameter account: group of the program that reads it.
    public static func credentialFile(of account: String) -> Form {
        text("the absolute path of a file, or \"\(CredentialFile.directory)NAME\"", content: .file) { text in
            if text.hasPrefix(CredentialFile.directory) {
                let name = text.dropFirst(CredentialFile.directory.count)
                guard !name.isEmpty, !name.contains("/"), name != ".." else {
                    return .refused("end it with the credential's name")
                }
                return .accepted(CredentialFile(text, of: account))
            }
            guard text.hasPrefix("/") else { return .refused("begin it with /") }
            guard !text.hasSuffix("/") else { return .refused("name the file, not its directory") }
            return text.utf8.count <= 4095
                ? .accepted(CredentialFile(text, of: account)) : .refused("shorten it")
        }
    }
}

public func isHost(_ text: String) -> Bool {
    (1...253).contains(text.utf8.count) && text.utf8.allSatisfy(isHostByte)
}

/// RFC 952 and 1123 names, and `_`, which local networks use; `%` names the interface of an IPv6
/// link-local address.
private func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "%"): true
    default: isDigit(byte)
    }
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

extension Form where Value == String {
    /// An IP address with a port.
    public static var listenAddress: Form {
        text("an address with a port such as \"127.0.0.1:8780\"") { text in
            Form<[String]>.isListenAddress(text)
                ? .accepted(text) : .refused("write an IP address, a colon and a port of 0 to 65535")
        }
    }

    /// An address that other machines cannot reach, with a port.
    public static var loopbackAddress: Form {
        text("127.0.0.1 or [::1] with a port such as \"127.0.0.1:9765\"") { text in
            guard Form<[String]>.isListenAddress(text) else {
                return .refused("write 127.0.0.1 or [::1], a colon and a port of 0 to 65535")
            }
            guard text.hasPrefix("127.0.0.1:") || text.hasPrefix("[::1]:") else {
                return .refused("write 127.0.0.1 or [::1]: metrics are for programs of this box alone")
            }
            return .accepted(text)
        }
    }
}

extension Form where Value == [String] {
    /// IP addresses with ports.
    public static var listenAddresses: Form {
        Form("a list of 1 to 8 addresses with ports such as [\"127.0.0.1:8765\", \"[::1]:8765\"]") { value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard (1...8).contains(nodes.count) else {
                return .refused(nodes.isEmpty ? "name at least one" : "shorten the list")
            }
            var addresses: [String] = []
            for node in nodes {
                guard case .string(let text) = node.value, isListenAddress(text) else {
                    return .refused("correct \(node.value): an IP address, a colon and a port of 0 to 65535")
                }
                guard !addresses.contains(text) else { return .refused("write \(node.value) once") }
                addresses.append(text)
            }
            return .accepted(addresses)
        }
    }

    fileprivate static func isListenAddress(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":") else { return false }
        let (host, port) = (text[..<colon], text[text.index(after: colon)...])
        guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy({ (48...57).contains($0) }),
            UInt16(port) != nil
        else { return false }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return isBracketed == host.contains(":")
            && IPAddress(isBracketed ? host.dropFirst().dropLast() : host) != nil
    }
}
