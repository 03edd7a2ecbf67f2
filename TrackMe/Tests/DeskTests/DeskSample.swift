import ContractReading
import Crypto
import Desk
import Foundation
import GatewayModel
import SOSLocal
import SQLDatabase
import Store
import StoreSamples
import TestSupport

@testable import CloudCommands

/// A desk on a file of its own, with the messages of one house.
struct DeskSample: Sendable {
    static let anna = Dispatcher(user: "anna", name: "Anna, desk 1")!
    static let bruno = Dispatcher(user: "bruno", name: "Bruno, desk 2")!
    static let sealer = CallSealer(masterKey: [UInt8](repeating: 7, count: 32))!
    static let house = GatewayID("house-12")!
    static let maria = PersonID("maria")!

    let database: TestDatabase
    let file: DatabasePool
    var store: DeskStore { DeskStore(file: file, sealer: Self.sealer) }

    init(on engine: TestEngine = .standard) throws {
        database = try TestDatabase(engine, migrations: AuditLog.migrations + DeskStore.migrations)
        file = try database.open()
    }

    static func at(_ second: Int64) -> WallTime {
        WallTime(millisecondsSince1970: 1_772_353_800_000 + second * 1_000)
    }

    /// An example of the contract.
    static func example(_ name: String) throws -> [UInt8] {
        [UInt8](
            try Data(contentsOf: Repository.root.appending(path: "docs/contract/examples/sos/\(name).json")))
    }

    static func message(_ name: String = "confirmed") throws -> EmergencyMessage {
        try EmergencyMessage(example(name), of: maria)
    }

    @discardableResult
    func receive(_ message: EmergencyMessage, at second: Int64 = 0) throws -> [EmergencyCall.Alert] {
        try file.writeBlocking {
            try DeskStore.receive(message, from: Self.house, at: Self.at(second), sealer: Self.sealer, $0)
        }
    }

    static func id() throws -> CallID { CallID(gateway: house, alarm: try message().alarm) }

    /// Key of an issuer, private and as a house pins it.
    static func issuer() async throws -> (signer: IssuerSigner, pinned: PinnedIssuer) {
        let key = Curve25519.Signing.PrivateKey()
        let x = Base64URL.encode(key.publicKey.rawRepresentation)
        let d = Base64URL.encode(key.rawRepresentation)
        let signer = try IssuerSigner(
            jwk: Array(#"{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"\#(x)","d":"\#(d)"}"#.utf8))
        let pinned = PinnedIssuer(
            id: IssuerID("trackme")!,
            keys: [
                try await PinnedKey(jwk: Array(#"{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"\#(x)"}"#.utf8))
            ],
            may: [])
        return (signer, pinned)
    }
}
