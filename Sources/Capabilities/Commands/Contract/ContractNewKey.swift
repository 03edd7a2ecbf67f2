import ArgumentParser
import CloudCommands

/// `homegateway contract new-key`
struct ContractNewKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-key",
        abstract: "Make the key pair of an issuer.",
        discussion: """
            Writes the private key, with which commands are signed, into a new file that
            its owner alone can read, and prints the public one as a JWK set: the file
            that keys of [[commands.issuers]] names at each gateway. An existing file is
            never replaced. Keep the private key away from the gateways.
            """)

    @Argument(help: ArgumentHelp("The file of the private key to write.", valueName: "file"))
    var path: String

    func run() throws {
        let key = IssuerSigner.newKey()
        do throws(NewFile.Fault) {
            try NewFile(path, mode: 0o600).write(Array((key.privateJWK + "\n").utf8))
        } catch {
            throw ValidationError(error.description)
        }
        print("{\"keys\":[\(key.publicJWK)]}")
    }
}
