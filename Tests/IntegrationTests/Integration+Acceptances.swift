import CloudCommands
import CommandSamples
import Crypto
import Foundation
import GatewayModel
import TestSupport
import Testing

extension Integration {
    /// An acceptance ends the calling for help, so it is signed.
    @Suite struct Acceptances {
        @Test func `count with a pinned key's signature alone`() async throws {
            let cloud = try Cloud()
            var settings = HouseSettings(more: cloud.sections())
            settings.takesUnsignedAcceptances = false
            try await House.with(settings) { house in
                let check = try await house.command("check", "--offline")
                #expect(
                    check.output.contains("calls are accepted over the broker, signed by: trackme"), "\(check)")
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try #require(try await witness.call("confirmed").payload.alarm)

                // Not signed, signed by somebody else, and of another alarm: the calling goes on.
                try await witness.accept(alarm, of: "maria", by: "Anybody")
                let thief = TestIssuer.ed25519()
                for _ in 1...2 {
                    try await witness.answer(
                        try cloud.acceptance(of: alarm, by: "A thief", signedBy: thief), to: "maria")
                }
                try await gateway.feed.health("acceptances-refused", true)
                // The condition is raised by the first of them.
                for reason in ["not signed: expected a compact JWS", "bad-signature"] {
                    #expect(await eventually { gateway.daemon.log.contains(reason) }, "\(reason)")
                }
                let other = "0190c3a2-0000-7000-8000-000000000000"
                try await witness.answer(try cloud.acceptance(of: other, by: "Operator 6"), to: "maria")
                try await gateway.feed.first("refused") { $0.text?.contains("no alarm of this id") == true }
                #expect(!gateway.feed.lines.values.contains { $0.event == "accepted" })
                let status = try await house.command("status")
                #expect(status.output.hasPrefix("OPEN ALARM \(alarm) of maria"), "\(status)")

                let key = try house.scratch.write(try cloud.privateKey(), to: "issuer.jwk")
                let signed = try await BuiltProgram.run([
                    "contract", "accept", "--key", key.path, "--issuer", "trackme", "--gateway",
                    HouseSettings.gateway, "--person", "maria", "--alarm", alarm, "--by", "Operator 7",
                ])
                #expect(signed.code == 0, "\(signed)")
                try await witness.answer(signed.output, to: "maria")
                let accepted = try await gateway.feed.first("accepted")
                #expect(accepted.alarm == alarm && accepted.by == "Operator 7" && accepted.channel == "mqtt")
                // A replay ends nothing a second time.
                try await witness.answer(signed.output, to: "maria")
                try await gateway.feed.first("refused") { $0.text?.contains("Operator 7") == true }
            }
        }

        @Test func `count by a text with the code of the call, and the others learn the name`() async throws {
            let texts = try await ModemManagerRig()
            let modem = texts.modem
            let (daughter, neighbour) = ("+393331234567", "+393337654321")
            var settings = HouseSettings()
            settings.person = "contact = [{ name = \"Anna Rossi\", phone = \"\(daughter)\" }]"
            settings.calls = "channels = [\"family\"]"
            settings.more = """
                [[channel]]
                id = "family"
                type = "sms"
                recipients = ["\(daughter)", "\(neighbour)"]
                bus = "\(texts.address)"
                """
            try await House.with(settings, without: ["broker", "gpsd"]) { house in
                let check = try await house.command("check", "--offline")
                #expect(check.output.contains("a text from a number of family with the code"), "\(check)")
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try #require(try await gateway.alarm().alarm)
                #expect(await eventually(within: .seconds(60)) { modem.whole.count == 2 })
                let text = modem.whole.last ?? ""
                let code = try #require(text.firstMatch(of: /Answer (\d{4}) if you are going/), "\(text)").1
                #expect(await modem.tell("deliver \(daughter) ok \(code)"))
                let accepted = try await gateway.feed.first("accepted")
                #expect(accepted.alarm == alarm && accepted.by == "Anna Rossi" && accepted.channel == "family")
                #expect(await eventually(within: .seconds(60)) { modem.whole.count == 4 })
                for end in modem.whole.suffix(2) {
                    #expect(end.contains("TAKEN CARE OF: Maria Rossi") && end.contains("Anna Rossi"), "\(end)")
                }
                for digits in ["1234567", "7654321"] {
                    #expect(!gateway.daemon.log.contains(digits), "a log names no number")
                }
            }
        }

        @Test(arguments: [(true, "WITHOUT A SIGNATURE"), (false, "CANNOT be accepted over the broker")])
        func `without a signature, or without anybody to sign, are told by check and status`(
            isAllowed: Bool, words: String
        ) async throws {
            var settings = HouseSettings()
            settings.takesUnsignedAcceptances = isAllowed
            try await House.with(settings) { house in
                let check = try await house.command("check", "--offline")
                #expect(check.code == 0 && check.output.contains(words), "\(check)")
                _ = try await house.start()
                let status = try await house.command("status")
                #expect(status.output.contains(words), "\(status)")
            }
        }
    }
}

extension Cloud {
    /// - Parameter other: the key that signs instead of the issuer's own, under the same kid.
    func acceptance(of alarm: String, by name: String, signedBy other: TestIssuer? = nil) throws -> String {
        let signer = other ?? issuer
        let header = #"{"alg":"\#(signer.algorithm)","kid":"\#(signer.keyID)","typ":"trackme-acceptance+jwt"}"#
        let claims =
            #"{"iss":"\#(issuer.id)","aud":"\#(HouseSettings.gateway)","iat":\#(Int64(Date().timeIntervalSince1970)),"#
            + #""person":"maria","alarm":"\#(alarm)","by":"\#(name)"}"#
        return try signer.token(header: header, claims: Array(claims.utf8))
    }

    /// The issuer's private JWK, for the desk tools.
    func privateKey() throws -> String {
        guard case .ed25519(let key) = issuer.key else { throw Missing(description: "an Ed25519 key") }
        return String(issuer.jwk.dropLast()) + #","d":"\#(Base64URL.encode(key.rawRepresentation))"}"#
    }
}
