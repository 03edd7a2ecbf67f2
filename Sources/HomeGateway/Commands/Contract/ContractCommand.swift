import ArgumentParser

/// `homegateway contract …`
struct ContractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "For developers of the cloud side: sign commands and acceptances, check receipts.",
        discussion: """
            keys     the gateway's public key, and whose commands it takes
            sign     a command, with an issuer's private key
            accept   the acceptance of a call for help, with an issuer's private key
            verify   receipts of a gateway
            replay   send signed commands to a gateway, and show its receipts

            A first command, at a desk:
              homegateway contract keys --jwks > gateway.jwks
              echo '{"type": "drill", "person": "maria"}' \\
                | homegateway contract sign --key issuer.jwk --issuer trackme --gateway house-12 \\
                | homegateway contract replay --receipts gateway.jwks --broker localhost --gateway house-12

            docs/integrator/commands.md tells the rest.
            """,
        subcommands: [
            ContractKeys.self, ContractSign.self, ContractAccept.self, ContractVerify.self, ContractReplay.self,
        ])
}
