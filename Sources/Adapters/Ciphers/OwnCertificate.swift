import COpenSSL
import Glibc

/// Certificate of a box for itself, for TLS on the local network. A browser asks its owner once whether to trust it.
package struct OwnCertificate: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Days for which a certificate holds: browsers refuse more than 398.
    private static let days = 397
    /// Days before the end at which a new one is made.
    private static let renewalDays = 30

    /// PEM of the private key, of ECDSA with P-256.
    package let key: String
    /// PEM of the certificate.
    package let certificate: String
    /// SHA-256 of the certificate as browsers show it: pairs of digits with colons.
    package let fingerprint: String

    /// Makes a certificate for names and addresses, under this key or under a new one.
    ///
    /// Errors: a name that cannot stand in a certificate, a key that is none, or no memory.
    package init(for names: [String], addresses: [String], key old: String? = nil) throws(Failure) {
        let key = try old.map { text throws(Failure) in try Self.key(text) } ?? copenssl_new_p256_key()
        guard let key else { throw Self.failed("making a key") }
        defer { EVP_PKEY_free(key) }
        guard let made = X509_new() else { throw Self.failed("making a certificate") }
        defer { X509_free(made) }
        var random: UInt64 = 0
        while random == 0 { random = UInt64.random(in: 1...UInt64(Int64.max)) }
        let subject = X509_get_subject_name(made)
        let title = Array("HomeGateway".utf8)
        let other = (names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }).joined(separator: ",")
        guard X509_set_version(made, 2) == 1,
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(made), random) == 1,
            // Clocks of a house differ, the box's own before the network is there above all.
            X509_gmtime_adj(X509_getm_notBefore(made), -86_400) != nil,
            X509_gmtime_adj(X509_getm_notAfter(made), (Self.days - 1) * 86_400) != nil,
            X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, title, Int32(title.count), -1, 0) == 1,
            X509_set_issuer_name(made, subject) == 1, X509_set_pubkey(made, key) == 1,
            Self.add(NID_subject_alt_name, other, to: made),
            Self.add(NID_basic_constraints, "critical,CA:FALSE", to: made),
            Self.add(NID_ext_key_usage, "serverAuth", to: made), X509_sign(made, key, EVP_sha256()) > 0
        else { throw Self.failed("making a certificate for \(other)") }
        self.key = try Self.text("writing a key") {
            PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil)
        }
        certificate = try Self.text("writing a certificate") { PEM_write_bio_X509($0, made) }
        fingerprint = Self.fingerprint(of: made)
    }

    /// Takes a certificate that was made before; nil where it is damaged, ends soon, or lacks a name or an address.
    package init?(key: String, certificate: String, for names: [String], addresses: [String]) {
        guard let known = try? Self.key(key) else { return nil }
        defer { EVP_PKEY_free(known) }
        guard let read = Self.read(certificate) else { return nil }
        defer { X509_free(read) }
        let ending = X509_get0_notAfter(read)
        var soon = time(nil) + Self.renewalDays * 86_400
        guard X509_check_private_key(read, known) == 1, X509_cmp_time(ending, &soon) > 0,
            names.allSatisfy({ X509_check_host(read, $0, $0.utf8.count, 0, nil) == 1 }),
            addresses.allSatisfy({ X509_check_ip_asc(read, $0, 0) == 1 })
        else { return nil }
        (self.key, self.certificate, fingerprint) = (key, certificate, Self.fingerprint(of: read))
    }

    /// SHA-256 of the first certificate of a PEM text, as browsers show it; nil where there is none.
    package static func fingerprint(ofPEM text: String) -> String? {
        guard let read = read(text) else { return nil }
        defer { X509_free(read) }
        return fingerprint(of: read)
    }

    private static func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) -> Bool {
        guard let part = X509V3_EXT_conf_nid(nil, nil, kind, value) else { return false }
        defer { X509_EXTENSION_free(part) }
        return X509_add_ext(certificate, part, -1) == 1
    }

    private static func key(_ text: String) throws(Failure) -> OpaquePointer {
        let bytes = Array(text.utf8)
        guard let key = copenssl_read_key(bytes, Int32(bytes.count)) else { throw failed("reading the key") }
        return key
    }

    private static func read(_ text: String) -> OpaquePointer? {
        let bytes = Array(text.utf8)
        return copenssl_read_certificate(bytes, Int32(bytes.count))
    }

    private static func fingerprint(of certificate: OpaquePointer) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        X509_digest(certificate, EVP_sha256(), &digest, &count)
        let digits = Array("0123456789ABCDEF")
        return digest.prefix(Int(count)).map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(
            separator: ":")
    }

    private static func text(
        _ act: String, _ write: (OpaquePointer) -> Int32
    ) throws(Failure) -> String {
        guard let memory = BIO_new(BIO_s_mem()) else { throw failed(act) }
        defer { BIO_free(memory) }
        var start: UnsafeMutablePointer<CChar>?
        guard write(memory) == 1, case let count = copenssl_text(memory, &start), count > 0, let start else {
            throw failed(act)
        }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private static func failed(_ act: String) -> Failure {
        Failure(
            description: "\(act): OpenSSL could not; check the names of the box, and the memory that is free")
    }
}
