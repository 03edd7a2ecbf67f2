import Ciphers
import ControlContract
import ControlLink
import Foundation
import Glibc
import HTML
import Pages
package import Settings
import Web

extension ConsoleServer {
    /// Addresses of the pages for browsers, by name where there is one.
    package static func origins(_ settings: ConsoleSettings) -> [String] {
        let scheme = settings.usesTLS ? "https" : "http"
        let addresses = settings.listen.map { address in
            let port = address.split(separator: ":").last.map(String.init) ?? ""
            let host = settings.names.first ?? ownAddress
            guard address.hasPrefix("0.0.0.0:") || address.hasPrefix("[::]:"), let host else { return address }
            return "\(host):\(port)"
        }
        return addresses.map { "\(scheme)://\($0)" }
    }

    /// Place at which another device enters its code: of the address that most devices reach. Nil where only the box
    /// itself reaches the pages, or where it has no address in a network.
    package static func pairingPlace(_ settings: ConsoleSettings) -> String? {
        let nobodys = ["//127.", "//[::1]", "//0.0.0.0", "//[::]"]
        return origins(settings).first { origin in !nobodys.contains(where: origin.contains) }.map {
            $0 + Pages.Route.pair.text
        }
    }

    /// Place at which a browser of the box itself enters its code.
    package static func ownPairingPlace(_ settings: ConsoleSettings) -> String {
        let port = settings.listen.first?.split(separator: ":").last ?? ""
        return "\(settings.usesTLS ? "https" : "http")://127.0.0.1:\(port)\(Pages.Route.pair.text)"
    }

    /// Persons of the house by their ids, as the gateway tells them; nil where it does not answer. Blocks for 3 s at most.
    package static func persons(_ settings: ConsoleSettings) -> [String]? {
        guard var client = try? ControlClient(path: settings.gatewaySocket, limit: .seconds(3)),
            (try? client.send(Verb.Follow())) != nil, let line = try? client.nextLine(),
            let house = try? ControlJSON.decode(HouseSnapshot.self, from: line)
        else { return nil }
        return house.persons.map(\.id)
    }

    /// SHA-256 of the certificate in use, which is made where there is none; nil without TLS.
    package static func fingerprint(_ settings: ConsoleSettings) throws -> String? {
        let files = ConsoleFiles(directory: settings.stateDirectory)
        try files.prepare()
        return try files.identity(settings).flatMap { OwnCertificate.fingerprint(ofPEM: $0.certificate) }
    }

    /// Whether the gateway answers at its socket for the console. Blocks for 3 s at most.
    package static func isAnswered(_ settings: ConsoleSettings) -> Bool {
        guard var client = try? ControlClient(path: settings.gatewaySocket, limit: .seconds(3)),
            (try? client.send(Verb.Follow())) != nil
        else { return false }
        return (try? client.nextLine()) != nil
    }

    /// IPv4 address of this box in the network of its default route; nil without a network.
    static var ownAddress: String? { ownAddresses.first }

    /// Addresses of this box but loopback, IPv4 first.
    static var ownAddresses: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [(isIPv4: Bool, text: String)] = []
        var next = first
        while let entry = next {
            defer { next = entry.pointee.ifa_next }
            guard let address = entry.pointee.ifa_addr,
                entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            // An address of one link alone (`%`) is none that a page is opened at.
            guard !host.contains("%") else { continue }
            found.append((family == AF_INET, host))
        }
        return found.filter(\.isIPv4).map(\.text) + found.filter { !$0.isIPv4 }.map(\.text)
    }
}
