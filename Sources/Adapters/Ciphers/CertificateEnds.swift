import COpenSSL
package import GatewayModel

/// Ends of certificates, for those who have to renew them in time.
package enum CertificateEnds {
    /// Certificates of one text: more than all authorities of the world.
    private static let most = 1_000

    /// - Parameter text: PEM; what is no certificate in it is ignored.
    package static func ends(ofPEM text: String) -> [WallTime] {
        let bytes = Array(text.utf8)
        var ends = [Int64](repeating: 0, count: most)
        let count = copenssl_certificate_ends(bytes, Int32(clamping: bytes.count), &ends, Int32(most))
        return ends.prefix(Int(count)).map { WallTime(millisecondsSince1970: $0 * 1_000) }
    }

    /// End of the certificate that a TLS server shows; nil where it shows none. It verifies nothing, and sends nothing but the
    /// handshake. Blocks as long as the socket does.
    ///
    /// - Parameter socket: connected; it stays open.
    package static func end(ofServer host: String, at socket: Int32) -> WallTime? {
        let end = copenssl_server_certificate_end(socket, host)
        return end == 0 ? nil : WallTime(millisecondsSince1970: end * 1_000)
    }
}
