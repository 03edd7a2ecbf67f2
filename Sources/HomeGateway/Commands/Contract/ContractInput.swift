import ArgumentParser
import CloudCommands
import FoundationEssentials
import Hub

/// What the commands of the contract read: files that a developer names.
enum ContractInput {
    /// A file with a key.
    static func bytes(_ path: String) throws(PinnedKey.Fault) -> [UInt8] {
        do {
            return try contents(path)
        } catch {
            throw PinnedKey.Fault(description: "\(error)")
        }
    }

    static func contents(_ path: String) throws -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ValidationError("\(path) cannot be read: check the path")
        }
    }

    static func standardInput() -> [UInt8] {
        var text = ""
        while let line = readLine(strippingNewline: false) { text += line }
        return Array(text.utf8)
    }

    /// One token a line.
    static func lines(_ path: String?) throws -> [[UInt8]] {
        let bytes = try path.map(contents) ?? standardInput()
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line)
        }
    }

    /// The gateway's key, out of a JWK set or alone.
    static func receiptCheck(_ path: String) async throws -> ReceiptCheck {
        let bytes = try contents(path)
        do {
            let keys = try await PinnedIssuer.keys(in: bytes)
            guard let key = keys.first, keys.count == 1 else {
                throw ValidationError("\(path): expected the key of one gateway")
            }
            return try await ReceiptCheck(jwk: Array(key.jwk.utf8))
        } catch let fault as PinnedKey.Fault {
            throw ValidationError("\(path): \(fault)")
        }
    }
}
