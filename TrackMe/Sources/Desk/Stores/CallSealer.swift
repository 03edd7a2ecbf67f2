import Crypto
import Foundation
import GatewayModel
import SOSLocal
import SQLDatabase

/// Seals the content of calls by AES-256-GCM: each call under a key of its own, and this key under one that is derived from the
/// master key. The master key is a file beside the database, never in it.
///
/// The key of a call is a row of the database. When it is deleted, nobody can open what was sealed with it: neither the lines of
/// the audit log, which cannot be deleted, nor copies of the database that are made from then on.
public struct CallSealer: Sendable {
    static let migration = Migration("desk-keys-1") { db in
        try db.execute(
            sql: """
                CREATE TABLE desk_key (
                    gateway TEXT NOT NULL, alarm TEXT NOT NULL, wrapped BLOB NOT NULL, PRIMARY KEY (gateway, alarm)
                ) STRICT, WITHOUT ROWID
                """)
    }

    /// Bytes of a master key.
    private static let masterLength = 32
    /// Begin of a sealed text, before base64. The content of an earlier version is JSON or XML, which does not begin so.
    static let mark = "sealed "

    /// Reason why a call cannot be read. It names the house and the alarm, and no person.
    public struct Fault: Error, CustomStringConvertible {
        public let description: String

        init(_ call: String) {
            description =
                "the call \(call) of the desk cannot be opened with this master key. "
                + "Restore the master key file that belongs to the database."
        }
    }

    /// Key of one call.
    struct Key {
        fileprivate let key: SymmetricKey
        /// Authenticated: a text cannot be moved to another call.
        fileprivate let context: [UInt8]

        func seal(_ text: String) throws -> String {
            guard
                let box = try AES.GCM.seal(Array(text.utf8), using: key, authenticating: context).combined
            else { throw Fault(String(decoding: context, as: UTF8.self)) }
            return CallSealer.mark + box.base64EncodedString()
        }
    }

    private let master: SymmetricKey

    /// Nil unless the key has 32 bytes.
    public init?(masterKey: [UInt8]) {
        guard masterKey.count == Self.masterLength else { return nil }
        master = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: masterKey), info: Array("trackme desk calls".utf8),
            outputByteCount: 32)
    }

    private static func name(of id: CallID) -> String { "\(id.gateway)/\(id.alarm)" }
    private static func context(of id: CallID) -> [UInt8] { Array(name(of: id).utf8) }

    /// Key of a call. A call without one gets a new one.
    func key(of id: CallID, _ db: Database) throws -> Key {
        if let known = try knownKey(of: id, db) { return known }
        let (key, context) = (SymmetricKey(size: .bits256), Self.context(of: id))
        let wrapped = try AES.GCM.seal(
            key.withUnsafeBytes { Array($0) }, using: master, authenticating: context)
        guard let bytes = wrapped.combined else { throw Fault(String(decoding: context, as: UTF8.self)) }
        try db.execute(
            sql: "INSERT INTO desk_key (gateway, alarm, wrapped) VALUES (?, ?, ?)",
            arguments: [id.gateway.text, id.alarm.description, bytes])
        return Key(key: key, context: context)
    }

    private func knownKey(of id: CallID, _ db: Database) throws -> Key? {
        let wrapped = try Data.fetchOne(
            db, sql: "SELECT wrapped FROM desk_key WHERE gateway = ? AND alarm = ?",
            arguments: [id.gateway.text, id.alarm.description])
        guard let wrapped else { return nil }
        let context = Self.context(of: id)
        do {
            let key = try AES.GCM.open(
                try AES.GCM.SealedBox(combined: wrapped), using: master, authenticating: context)
            return Key(key: SymmetricKey(data: key), context: context)
        } catch {
            throw Fault(Self.name(of: id))
        }
    }

    /// Opens a text of a call; one of an earlier version is as it was.
    func open(_ text: String, of id: CallID, _ db: Database) throws -> String {
        try open([text], of: id, db)[0]
    }

    /// Opens texts of one call.
    func open(_ texts: [String], of id: CallID, _ db: Database) throws -> [String] {
        guard texts.contains(where: { $0.hasPrefix(Self.mark) }) else { return texts }
        guard let key = try knownKey(of: id, db) else { throw Fault(Self.name(of: id)) }
        return try texts.map { text in
            guard text.hasPrefix(Self.mark) else { return text }
            guard let box = Data(base64Encoded: String(text.dropFirst(Self.mark.count))),
                let sealed = try? AES.GCM.SealedBox(combined: box),
                let bytes = try? AES.GCM.open(sealed, using: key.key, authenticating: key.context)
            else { throw Fault(Self.name(of: id)) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
