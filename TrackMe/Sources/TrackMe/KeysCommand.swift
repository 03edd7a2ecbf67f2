import ArgumentParser
import Crypto
import Foundation
import GatewayModel

/// `trackme keys`
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make the keys of a new server, and show the public one for the gateways.",
        discussion:
            "An existing file is never replaced. Keep a copy of master.key apart from the backups: without it "
            + "nobody reads the names of the users, and with it everybody does.")

    @Option(name: .long, help: ArgumentHelp("Directory of issuer.jwk and master.key.", valueName: "directory"))
    var directory = "/etc/trackme"

    func run() throws {
        let key = Curve25519.Signing.PrivateKey()
        let x = Base64URL.encode(key.publicKey.rawRepresentation)
        // A kid has to be new each time: the beginning of the key itself is.
        let members = #""crv":"Ed25519","kid":"\#(x.prefix(11))","kty":"OKP","x":"\#(x)""#
        let issuer = #"{\#(members),"d":"\#(Base64URL.encode(key.rawRepresentation))"}"#
        try Self.write(issuer, to: "\(directory)/issuer.jwk")
        let master = SymmetricKey(size: .bits256).withUnsafeBytes { Base64URL.encode(Array($0)) }
        try Self.write(master, to: "\(directory)/master.key")
        print("For /etc/homegateway/trackme.jwks of each gateway:")
        print(#"{"keys":[{\#(members)}]}"#)
    }

    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ValidationError(
                "\(path): \(String(cString: strerror(errno))). An existing key is not replaced.")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data((text + "\n").utf8))
        try file.synchronize()
        try file.close()
    }
}
