import CloudCommands
import CommandSamples
import Foundation
import GatewayModel
import TestSupport
import Testing

extension Integration {
    @Suite struct Desk {
        @Test func `an unattended desk is a condition of the house, and help is called all the same`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections(hasDesk: true))) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToDesk(gateway)
                let code = "desk-unattended"

                // A thief and a neighbour's status change nothing.
                let thief = TestIssuer.ed25519()
                try await witness.desk(try cloud.desk(.unattended, signedBy: thief))
                try await witness.desk(try cloud.desk(.unattended, to: "house-13"))
                try await house.status(showing: "statuses of desks that were refused: 2")
                #expect(!gateway.feed.lines.values.contains { $0.code == code })

                let first = try cloud.desk(.attended)
                try await witness.desk(first)
                try await house.status(showing: "desk of trackme: somebody is there")
                let second = try cloud.desk(.unattended)
                try await witness.desk(second)
                try await gateway.feed.health(code, true)
                try await house.status(showing: "Nobody is at the emergency desk")
                try await witness.first("the condition in the status") {
                    $0.topic.hasSuffix("/status") && $0.payload.conditions?.contains { $0.code == code } == true
                }

                // What was said before is no news, and a recording of long ago is none either.
                try await witness.desk(first)
                try await witness.desk(try cloud.desk(.attended, age: 3_600))
                try await house.status(showing: "statuses of desks that were refused: 4")
                try await house.status(showing: "the desk says that nobody is there")

                try await house.rig.subscribed()
                try await house.rig.send(150)
                #expect(try await witness.call("confirmed").payload.person == "maria")

                let mark = gateway.feed.lines.mark
                try await witness.desk(try cloud.desk(.attended))
                try await gateway.feed.health(code, false, after: mark)
            }
        }

        @Test func `a house without a desk in its settings hears nothing of one`() async throws {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections())) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                try await witness.desk(try cloud.desk(.unattended))
                // Later on the same connection.
                _ = try await cloud.ask(#"{"type":"heartbeat-interval","seconds":60}"#, of: witness)
                #expect(!gateway.feed.lines.values.contains { $0.code == "desk-unattended" })
                let status = try await house.command("status")
                #expect(!status.output.contains("desk"), "\(status)")
            }
        }
    }
}

extension House {
    fileprivate func subscribedToDesk(_ gateway: Gateway) async throws {
        try await gateway.daemon.child.errors.first("the subscription to the desk") {
            $0.contains("subscribed") && $0.contains("/desk")
        }
    }
}

extension Witness {
    fileprivate func desk(_ status: String) async throws {
        try await send(status, to: "trackme/v1/\(HouseSettings.gateway)/desk")
    }
}

extension Cloud {
    /// A status of now, or older by `age` seconds. Each is a second later than the one before.
    fileprivate func desk(
        _ state: SignedDeskStatus.State, to gateway: String = HouseSettings.gateway, age: Int64 = 0,
        signedBy other: TestIssuer? = nil
    ) throws -> String {
        let signer = other ?? issuer
        let header = #"{"alg":"\#(signer.algorithm)","kid":"\#(signer.keyID)","typ":"trackme-desk+jwt"}"#
        let issued = Int64(Date().timeIntervalSince1970) - age + nextStatus()
        let claims =
            #"{"iss":"\#(issuer.id)","aud":"\#(gateway)","iat":\#(issued),"state":"\#(state.rawValue)"}"#
        return try signer.token(header: header, claims: Array(claims.utf8))
    }
}
