import CloudCommands
import CommandSamples
import Crypto
import Foundation
import GatewayModel
import TestSupport
import Testing

extension Integration {
    /// Decisions of an issuer that a person's settings name: each command to its end, seen from outside.
    @Suite struct CommandedConsent {
        private static let all = CommandKind.allCases.map(\.rawValue)

        private func settings(_ cloud: Cloud, _ residents: HouseSettings.Resident...) -> HouseSettings {
            var settings = HouseSettings(residents: residents, more: cloud.sections(may: Self.all))
            for index in settings.residents.indices { settings.residents[index].decidedBy = cloud.issuer.id }
            return settings
        }

        /// A third party: its keys, and its request.
        private struct Party {
            let signing = Curve25519.Signing.PrivateKey()
            let first = Curve25519.KeyAgreement.PrivateKey()
            let second = Curve25519.KeyAgreement.PrivateKey()

            func sealing(_ id: String, _ key: Curve25519.KeyAgreement.PrivateKey) -> String {
                let x25519 = Base64URL.encode(key.publicKey.rawRepresentation)
                return #"{"kid":"\#(id)","x25519":"\#(x25519)"}"#
            }

            var request: String {
                let signer = Base64URL.encode(signing.publicKey.rawRepresentation)
                return #"{"type":"request","request":"study-7","person":"maria","purpose":"A study of hearts","#
                    + #""kinds":["heart-rate"],"party":{"id":"uni","name":"University","#
                    + #""sealing_key":\#(sealing("k-1", first)),"signing_key":"\#(signer)"}}"#
            }

            /// Returns a change of the key, signed over the lines of docs/integrator/commands.md.
            func change(
                from old: String, to id: String, _ key: Curve25519.KeyAgreement.PrivateKey
            ) throws -> String {
                let words = [
                    "trackme-party-key", HouseSettings.gateway, "maria", "uni", old, id,
                    Base64URL.encode(key.publicKey.rawRepresentation),
                ].joined(separator: "\n")
                let signature = Base64URL.encode(try signing.signature(for: Data(words.utf8)))
                return
                    #"{"type":"party-key","person":"maria","party":"uni","sealing_key":\#(sealing(id, key)),"#
                    + #""signature":"\#(signature)"}"#
            }

            /// Returns the reading in a copy, opened as docs/integrator/sealing.md says; nil if it does not open.
            func value(of copy: WireMessage, by key: Curve25519.KeyAgreement.PrivateKey, _ id: String)
                -> Double?
            {
                struct Body: Decodable { let id, kid, sealed: String }
                guard let body = try? JSONDecoder().decode(Body.self, from: Data(copy.text.utf8)),
                    body.kid == id,
                    let bytes = Base64URL.decode(body.sealed)
                else { return nil }
                let info = ["trackme-sealed-v1", copy.topic, body.kid, body.id].joined(separator: "\n")
                var recipient = try? HPKE.Recipient(
                    privateKey: key, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data(info.utf8),
                    encapsulatedKey: Data(bytes.prefix(32)))
                let plain = try? recipient?.open(Data(bytes.dropFirst(32)))
                return plain.flatMap {
                    WireMessage.all("\(copy.topic)\t\(String(decoding: $0, as: UTF8.self))").first?.payload
                        .value
                }
            }
        }

        private func isCopy(_ message: WireMessage) -> Bool { message.topic.contains("/parties/uni/maria/") }

        @Test func `a request is granted, sealed with another key and withdrawn, each by a command`()
            async throws
        {
            let (cloud, party) = (try Cloud(), Party())
            try await House.with(settings(cloud, HouseSettings.maria)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                try await house.rig.subscribed()
                func done(_ command: String) async throws {
                    let receipt = try await cloud.ask(command, of: witness)
                    #expect(receipt.result == "done", "\(receipt)")
                }
                func copy(of rate: Int) async throws -> WireMessage {
                    let mark = witness.mark
                    try await house.rig.send(rate)
                    return try await witness.first("the copy of \(rate)", after: mark, where: isCopy)
                }
                func decision(_ verdict: String) -> String {
                    #"{"type":"decide","request":"study-7","person":"maria","verdict":"\#(verdict)"}"#
                }

                try await done(party.request)
                try await done(decision("granted"))
                let first = try await copy(of: 72)
                #expect(party.value(of: first, by: party.first, "k-1") == 72)

                let change = try party.change(from: "k-1", to: "k-2", party.second)
                try await done(change)
                let second = try await copy(of: 73)
                #expect(party.value(of: second, by: party.second, "k-2") == 73)
                // The old command names a key that is not in force any more.
                let back = try await cloud.ask(
                    try party.change(from: "k-1", to: "k-3", party.first), of: witness)
                #expect(back.reason == "party-signature", "\(back)")

                let mark = witness.mark
                try await done(#"{"type":"withdraw","request":"study-7","person":"maria"}"#)
                try await witness.receipt("the end of the grant", after: mark) { $0.event == "grant-ended" }
                try await house.rig.send(74)
                try await witness.sample(74)
                #expect(witness.messages.count(where: isCopy) == 2)

                // Granted again, and withdrawn by the other of its two commands.
                try await done(decision("granted"))
                let third = try await copy(of: 75)
                #expect(party.value(of: third, by: party.second, "k-2") == 75)
                try await done(decision("withdrawn"))
                let history = try await house.command("consent", "history")
                #expect(history.output.contains("withdrawn, by trackme (command)"), "\(history)")
                #expect(
                    history.output.contains("uni seals with the key k-2, by trackme (command)"), "\(history)")
            }
        }

        @Test func `a request is refused by a command, and can be granted later`() async throws {
            let (cloud, party) = (try Cloud(), Party())
            try await House.with(settings(cloud, HouseSettings.maria)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                for (command, state) in [
                    (party.request, "waits for an answer"),
                    (
                        #"{"type":"decide","request":"study-7","person":"maria","verdict":"refused"}"#,
                        "refused by trackme"
                    ),
                    (
                        #"{"type":"decide","request":"study-7","person":"maria","verdict":"granted"}"#,
                        "accepted by trackme"
                    ),
                ] {
                    let receipt = try await cloud.ask(command, of: witness)
                    #expect(receipt.result == "done", "\(receipt)")
                    let shown = try await house.command("consent", "show", "study-7")
                    #expect(shown.output.contains(state), "\(shown)")
                }
            }
        }

        @Test func `a key that nothing can be sealed to is refused when it is asked for`() async throws {
            let (cloud, party) = (try Cloud(), Party())
            try await House.with(settings(cloud, HouseSettings.maria)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                let good = Base64URL.encode(party.first.publicKey.rawRepresentation)
                let zero = Base64URL.encode([UInt8](repeating: 0, count: 32))
                let asked = try await cloud.ask(party.request.replacing(good, with: zero), of: witness)
                #expect(
                    asked.reason == "wrong-value" && asked.detail?.contains("small order") == true, "\(asked)")
                let list = try await house.command("consent", "list")
                #expect(!list.output.contains("study-7"), "\(list)")
                for command in [
                    party.request,
                    #"{"type":"decide","request":"study-7","person":"maria","verdict":"granted"}"#,
                ] {
                    let receipt = try await cloud.ask(command, of: witness)
                    #expect(receipt.result == "done", "\(receipt)")
                }
                // Signed by the party itself.
                let words = ["trackme-party-key", HouseSettings.gateway, "maria", "uni", "k-1", "k-2", zero]
                let signature = try party.signing.signature(for: Data(words.joined(separator: "\n").utf8))
                let changed = try await cloud.ask(
                    #"{"type":"party-key","person":"maria","party":"uni","sealing_key":{"kid":"k-2","#
                        + #""x25519":"\#(zero)"},"signature":"\#(Base64URL.encode(signature))"}"#, of: witness)
                #expect(changed.reason == "wrong-value", "\(changed)")
            }
        }

        @Test func `a policy is accepted and withdrawn by a command, for the readings that follow`()
            async throws
        {
            let cloud = try Cloud()
            var paolo = HouseSettings.paolo
            (paolo.dataPolicy, paolo.automatedSOS) = (false, false)
            try await House.with(settings(cloud, HouseSettings.maria, paolo)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                for strap in ["strap", "belt"] { try await house.rig.subscribed(strap) }
                func seen(_ value: Int) async throws {
                    try await house.rig.send(value, from: "belt")
                    try await gateway.feed.first("reading") { $0.value == Double(value) && $0.device == "belt" }
                }
                func policy(_ isAccepted: Bool) async throws {
                    let receipt = try await cloud.ask(
                        #"{"type":"policy","person":"paolo","accepted":\#(isAccepted)}"#, of: witness)
                    #expect(receipt.result == "done", "\(receipt)")
                }
                try await seen(81)
                try await policy(true)
                try await seen(82)
                try await witness.sample(82)
                try await policy(false)
                try await seen(83)
                // The readings of the other person continue. All earlier messages have arrived by then.
                try await house.rig.send(72)
                try await witness.sample(72)
                #expect(witness.distinctSamples.map(\.payload.value) == [82, 72])
            }
        }

        @Test func `the last policy of a house is withdrawn by a command, which is answered all the same`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(settings(cloud, HouseSettings.maria)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                try await house.rig.subscribed()
                let receipt = try await cloud.ask(
                    #"{"type":"policy","person":"maria","accepted":false}"#, of: witness)
                #expect(receipt.result == "done", "\(receipt)")
                try await gateway.feed.health("nothing-accepted", true)
                try await house.rig.send(72)
                try await gateway.feed.first("reading") { $0.value == 72 }
                try await house.status(showing: "unsent messages: 0")
                #expect(witness.samples.isEmpty)
            }
        }

        @Test func `AutomatedSOS is accepted and withdrawn by a command, for the alarm that follows`()
            async throws
        {
            let cloud = try Cloud()
            var maria = HouseSettings.maria
            maria.automatedSOS = false
            try await House.with(settings(cloud, maria)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                try await house.rig.subscribed()
                func accepted(_ isAccepted: Bool) async throws {
                    let receipt = try await cloud.ask(
                        #"{"type":"automated-sos","person":"maria","accepted":\#(isAccepted)}"#, of: witness)
                    #expect(receipt.result == "done", "\(receipt)")
                }
                try await accepted(true)
                try await house.rig.send(150)
                let call = try await witness.call("confirmed")
                let alarm = try #require(call.payload.alarm)
                let ended = try await cloud.ask(#"{"type":"abort","alarm":"\#(alarm)"}"#, of: witness)
                #expect(ended.result == "done", "\(ended)")
                try await witness.call("cancelled")
                try await house.rig.send(72)
                try await witness.sample(72)

                try await accepted(false)
                let mark = witness.mark
                try await house.rig.send(151)
                try await gateway.feed.first("not-called")
                try await house.rig.send(73)
                try await witness.sample(73)
                #expect(!witness.messages.dropFirst(mark).contains { $0.isSOS })
            }
        }
    }
}
