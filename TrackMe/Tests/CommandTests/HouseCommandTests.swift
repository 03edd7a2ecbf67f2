import Accounts
import GatewayModel
import Store
import StoreSamples
import TestSupport
import Testing

/// `trackme houses`, as the operator runs it beside the server.
struct HouseCommandTests {
    /// Of RFC 8037, appendices A.2 and A.3.
    private static let key = """
        {"keys":[{"crv":"Ed25519","kid":"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k","kty":"OKP","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}
        """

    @Test func `remove ends the links of a house, and names the broker that still lets it in`() async throws {
        let server = try await TestInstallation()
        let key = try server.write(Self.key, to: "house.jwks")
        let added = try await server.run("houses", "add", "house-12", "--key", key)
        try #require(added.code == 0, "\(added)")
        let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
        let anna = try await server.stores.accounts.add(.sample("anna", at: noon))
        _ = try await server.stores.link(anna, to: .maria, as: "link-a", at: noon)

        let unknown = try await server.run("houses", "remove", "house-13")
        #expect(unknown.code != 0 && unknown.errors.contains("saw 'house-13'"), "\(unknown)")
        let removed = try await server.run("houses", "remove", "house-12")
        #expect(removed.code == 0, "\(removed)")
        #expect(removed.output.contains("removed: house-12, ended requests: 1"))
        #expect(removed.output.contains("The broker still lets the house in"))
        #expect(try await server.run("houses", "list").output == "")
        let link = try #require(try await server.stores.links.links(of: anna).first)
        #expect(link.state == .ended && link.reason == "house-removed")
        #expect(try await server.stores.links.openCommandCount() == 1)
    }
}
