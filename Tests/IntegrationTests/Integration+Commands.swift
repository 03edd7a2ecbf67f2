import CloudCommands
import CommandSamples
import Foundation
import GatewayModel
import TestSupport
import Testing
import Vault

extension Integration {
    @Suite struct Commands {
        @Test func `a signed command is done once, and each time answered by a receipt that can be checked`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections())) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                let (id, token) = try cloud.token(#"{"type":"drill","person":"maria"}"#, by: "Anna")
                try await witness.command(token)
                let receipt = try await witness.receipt(of: id)
                #expect(receipt.result == "done" && receipt.to == "trackme" && receipt.seq == 1, "\(receipt)")
                let call = try await witness.call("confirmed")
                #expect(call.payload.drill == true)
                let mark = witness.mark
                try await witness.command(token)
                let again = try await witness.receipt(of: id, after: mark)
                #expect(again.result == "already-done" && again.first?.result == "done", "\(again)")

                let keys = try await house.command("contract", "keys", "--jwks")
                let file = try house.scratch.write(keys.output, to: "gateway.jwks")
                let receipts = try house.scratch.write(
                    [receipt.token, again.token].joined(separator: "\n"), to: "receipts")
                let checked = try await BuiltProgram.run([
                    "contract", "verify", "--key", file.path, receipts.path,
                ])
                #expect(checked.code == 0 && checked.output.contains(#""result":"already-done""#), "\(checked)")
                let forged = try house.scratch.write(receipt.token.dropLast(4) + "AAAA", to: "forged")
                let refused = try await BuiltProgram.run([
                    "contract", "verify", "--key", file.path, forged.path,
                ])
                #expect(refused.code == 1 && refused.errors.contains("bad-signature"), "\(refused)")
            }
        }

        @Test func `an alarm that is cancelled by a command tells who did it and how`() async throws {
            let cloud = try Cloud(.p256())
            try await House.with(HouseSettings(more: cloud.sections(may: Cloud.alarmRights))) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let call = try await witness.call("confirmed")
                let alarm = try #require(call.payload.alarm)
                let receipt = try await cloud.ask(
                    #"{"type":"abort","alarm":"\#(alarm)"}"#, by: "Anna, daughter", of: witness)
                #expect(receipt.result == "done", "\(receipt)")
                let word = try await witness.call("cancelled")
                #expect(word.payload.ending?.by == "Anna, daughter")
                let ended = try await gateway.feed.first("aborted")
                #expect(ended.by == "Anna, daughter", "\(ended)")
                let again = try await cloud.ask(#"{"type":"abort"}"#, of: witness)
                #expect(again.result == "refused" && again.reason == "nothing-open", "\(again)")
                _ = try await house.record(of: alarm, showing: "Anna, daughter")
            }
        }

        @Test func `what was done outlives a kill, and is not done again`() async throws {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections())) { house in
                let first = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(first)
                let (id, token) = try cloud.token(#"{"type":"heartbeat-interval","seconds":11}"#)
                try await witness.command(token)
                let done = try await witness.receipt(of: id)
                #expect(done.result == "done")
                await first.daemon.child.killed()

                let second = try await house.start()
                try await house.subscribedToCommands(second)
                let mark = witness.mark
                try await witness.first("a heartbeat", after: mark) {
                    $0.topic.hasSuffix("/heartbeat") && $0.text.contains(#""interval_s":11"#)
                }
                try await witness.command(token)
                // The first one may come again under its own id: its acknowledgement may have been lost in the kill.
                let again = try await witness.receipt(after: mark) { $0.re == id && $0.jti != done.jti }
                #expect(again.result == "already-done" && again.first?.result == "done", "\(again)")
            }
        }

        /// Point of a command's way through the gateway at which a test kills the gateway.
        private enum KillPoint { case sent, written, answered }

        @Test
        func `a setting is done once or not at all, and answered in any case, whatever kills the gateway`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections())) { house in
                var gateway = try await house.start()
                let witness = try await house.witness()
                let reader = StateReader(in: house.scratch.file("state").path)
                // A gateway that is killed before this is on the disk begins to remember anew, and refuses the command.
                let remembers = await eventually(within: patience) {
                    (try? reader.rows(of: .commandMemory).rows.isEmpty) == false
                }
                #expect(remembers)
                let points: [KillPoint] = [.sent, .written, .answered]
                for (round, point) in zip(1..., points + points) {
                    try await house.subscribedToCommands(gateway)
                    let (id, token) = try cloud.token(
                        #"{"type":"heartbeat-interval","seconds":\#(10 + round)}"#)
                    let mark = witness.mark
                    try await witness.command(token)
                    switch point {
                    case .sent: break
                    case .written:
                        let isWritten = await eventually(within: patience) {
                            ((try? reader.rows(of: .command).rows.count) ?? 0) >= round
                        }
                        #expect(isWritten)
                    case .answered: _ = try await witness.receipt(of: id, after: mark)
                    }
                    await gateway.daemon.child.killed()
                    gateway = try await house.start()
                    try await house.subscribedToCommands(gateway)
                    // A cloud without a receipt sends it again, as the test does in any case.
                    try await witness.command(token)
                    let receipt = try await witness.receipt(after: mark) { $0.re == id }
                    // The receipt that the killed run left behind may come after the one of the repetition.
                    #expect(receipt.result == "done" || receipt.first?.result == "done", "\(receipt)")
                    try await witness.first("a heartbeat", after: mark) {
                        $0.topic.hasSuffix("/heartbeat") && $0.text.contains(#""interval_s":\#(10 + round)"#)
                    }
                }
                let answers = witness.messages.compactMap(Cloud.Receipt.init).filter { $0.event == "command" }
                #expect(answers.allSatisfy { $0.result == "done" || $0.first?.result == "done" }, "\(answers)")
            }
        }

        @Test func `an issuer's key is replaced by its own word, for good`() async throws {
            let cloud = try Cloud()
            let next = TestIssuer.p256(keyID: "2026-2")
            try await House.with(HouseSettings(more: cloud.sections())) { house in
                let first = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(first)
                let same = TestIssuer(id: cloud.issuer.id, keyID: "2026-3", key: cloud.issuer.key)
                let own = try await cloud.ask(
                    #"{"type":"rotate-key","key":\#(same.jwk)}"#, of: witness)
                #expect(own.reason == "not-possible", "\(own)")
                let rotated = try await cloud.ask(
                    #"{"type":"rotate-key","key":\#(next.jwk)}"#, of: witness)
                #expect(rotated.result == "done", "\(rotated)")
                _ = try await first.daemon.terminate()

                let second = try await house.start()
                try await house.subscribedToCommands(second)
                let mark = witness.mark
                let (_, old) = try cloud.token(#"{"type":"drill","person":"maria"}"#)
                try await witness.command(old)
                let refused = try await witness.receipt(after: mark) { $0.reason == "unknown-key" }
                #expect(refused.re == nil && refused.to == nil, "\(refused)")
                #expect(refused.message == CommandVerifier.digest(of: Array(old.utf8)))
                let taken = try await cloud.ask(
                    #"{"type":"heartbeat-interval","seconds":60}"#, signedBy: next, of: witness)
                #expect(taken.result == "done", "\(taken)")
            }
        }

        @Test func `what is not taken changes nothing, and its receipts tell nothing and have an end`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections())) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                let mallory = TestIssuer.ed25519()
                let (_, forged) = try cloud.token(#"{"type":"drill","person":"maria"}"#, signedBy: mallory)
                for (number, (message, reason)) in [
                    (forged, "bad-signature"), ("rubbish", "malformed"), ("{}", "malformed"),
                    (String(repeating: "A", count: 20_000), "too-large"),
                ].enumerated() {
                    let mark = witness.mark
                    try await witness.command(message)
                    let receipt = try await witness.receipt(after: mark) { $0.reason == reason }
                    #expect(receipt.re == nil && receipt.to == nil, "\(number): \(receipt)")
                    for secret in ["maria", "Maria", "trackme\""] {
                        #expect(receipt.detail?.contains(secret) == false, "\(receipt)")
                    }
                }
                for number in 0..<40 { try await witness.command("rubbish-\(number)") }
                // Correctly signed: an attacker who has seen it once at the broker can repeat it without limit.
                let expired = try cloud.issuer.token(
                    TestClaims.with { ($0.issued, $0.expires, $0.sequence) = ("1000", "1300", "1000") })
                for _ in 0..<40 { try await witness.command(expired) }
                // Answered in their order: after this one no receipt of an earlier one comes.
                let last = try await cloud.ask(#"{"type":"drill","person":"nobody"}"#, of: witness)
                #expect(last.result == "refused" && last.reason == "unknown-person", "\(last)")
                let answers = witness.messages.compactMap(Cloud.Receipt.init).filter { $0.event == "command" }
                #expect(answers.count <= ReceiptRateBound.most + 2, "\(answers.count)")
                #expect(witness.calls.isEmpty)
            }
        }

        @Test func `a device is switched off and on by command, as on the command line`() async throws {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections())) { house in
                let file = try house.scratch.write(
                    """
                    [[wearable]]
                    id = "ring"
                    address = "C0:FF:EE:00:00:09"
                    person = "maria"

                    """, to: "state/devices.toml")
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                // Written by hand, so it has to be changed by hand.
                let receipt = try await cloud.ask(
                    #"{"type":"device-tracking","device":"strap","kind":"heart-rate","on":false}"#, of: witness)
                #expect(receipt.result == "refused" && receipt.reason == "not-possible", "\(receipt)")
                let stranger = try await cloud.ask(
                    #"{"type":"device-tracking","device":"cuff","kind":"heart-rate","on":false}"#, of: witness)
                #expect(stranger.reason == "unknown-device", "\(stranger)")
                let off = try await cloud.ask(
                    #"{"type":"device-tracking","device":"ring","kind":"heart-rate","on":false}"#, of: witness)
                #expect(off.result == "done", "\(off)")
                let kept = try String(contentsOf: file, encoding: .utf8)
                #expect(kept.contains(#"off = ["heart-rate"]"#), "\(kept)")
                let again = try await cloud.ask(
                    #"{"type":"device-tracking","device":"ring","kind":"heart-rate","on":true}"#, of: witness)
                #expect(again.result == "done", "\(again)")
                #expect(try !String(contentsOf: file, encoding: .utf8).contains("heart-rate"))
            }
        }

        @Test func `a third party's request is put to the person, and decided only by whom the settings name`()
            async throws
        {
            let cloud = try Cloud()
            let all = CommandKind.allCases.map(\.rawValue)
            try await House.with(HouseSettings(more: cloud.sections(may: all))) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                let asked = try await cloud.ask(
                    #"{"type":"request","request":"study-7","person":"maria","purpose":"A study of hearts","#
                        + #""kinds":["heart-rate"],"party":{"id":"uni","name":"University"}}"#, of: witness)
                #expect(asked.result == "done", "\(asked)")
                for command in [
                    #"{"type":"decide","request":"study-7","person":"maria","verdict":"granted"}"#,
                    #"{"type":"withdraw","request":"study-7","person":"maria"}"#,
                    #"{"type":"policy","person":"maria","accepted":false}"#,
                ] {
                    let receipt = try await cloud.ask(command, of: witness)
                    #expect(receipt.result == "refused" && receipt.reason == "not-allowed", "\(receipt)")
                }
            }
        }

        @Test func `a limit is moved by command within its bounds, and stays so over a restart`() async throws {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections(may: Cloud.alarmRights))) { house in
                let first = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(first)
                func limit(_ high: String) -> String {
                    #"{"type":"thresholds","person":"maria","kind":"heart-rate","high":\#(high)}"#
                }
                for (figure, seen) in [
                    ("250", "250.0"), ("925", "925.0"), ("9.25e2", "925.0"), ("89.9", "89.9"),
                ] {
                    let refused = try await cloud.ask(limit(figure), of: witness)
                    #expect(refused.reason == "out-of-bounds", "\(refused)")
                    // The bound, for the sender of the command.
                    #expect(
                        refused.detail?.contains("saw \(seen), expected a number, 90.0...220.0") == true,
                        "\(refused)")
                }
                let waits = try await cloud.ask(limit("160"), of: witness)
                #expect(waits.result == "waits", "\(waits)")
                let accepted = try await house.command("limits", "accept", "heart-rate", "--person", "maria")
                #expect(accepted.code == 0, "\(accepted)")
                try await house.status(showing: "heart-rate high is 160.0 by command")
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await first.feed.first("reading") { $0.value == 150 }
                _ = try await first.daemon.terminate()

                let mark = house.rig.mark
                let second = try await house.start()
                try await house.subscribedToCommands(second)
                try await house.rig.subscribed(after: mark)
                try await house.rig.send(151)
                try await second.feed.first("reading") { $0.value == 151 }
                #expect(
                    !(first.feed.lines.values + second.feed.lines.values).contains { $0.event == "crossing" })
                let back = try await cloud.ask(limit("null"), of: witness)
                #expect(back.result == "done", "\(back)")
                try await house.rig.send(152)
                let crossing = try await second.feed.first("crossing")
                #expect(crossing.value == 152)
            }
        }

        @Test func `without an issuer no command is heard`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                try await gateway.daemon.child.errors.first("the subscription to acceptances") {
                    $0.contains("subscribed") && $0.contains("/accepted")
                }
                try await house.status(showing: "unsent messages: 0")
                #expect(!gateway.daemon.log.contains("/commands"))
            }
        }

        @Test func `an issuer whose keys cannot be used is set aside, and the house is told where`()
            async throws
        {
            let cloud = try Cloud()
            for (content, words) in [
                ("nonsense", "expected a JWK set as JSON"), ("{\"keys\":[]}", "1 to 8 keys"),
                (#"{"kty":"oct","k":"AAAA","kid":"a"}"#, "private or a shared key"),
            ] {
                try Data(content.utf8).write(to: URL(filePath: cloud.keys))
                try await House.with(HouseSettings(more: cloud.sections())) { house in
                    let daemon = try await house.start().daemon
                    let status = try await house.command("status")
                    #expect(status.output.contains("commands.issuers.keys"), "\(status)")
                    #expect(status.output.contains(words) && status.output.contains(cloud.keys), "\(status)")
                    #expect(!daemon.log.contains("/commands"))
                    let check = try await house.command("check")
                    #expect(check.output.contains("PROBLEM  keys of issuers"), "\(check)")
                }
            }
        }

        @Test func `a key of the gateway's own that the disk does not give leaves the house watched`()
            async throws
        {
            try await House.with { house in
                let state = house.scratch.file("state")
                try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
                // Reading the first page of a process's own memory is an I/O error.
                try FileManager.default.createSymbolicLink(
                    atPath: state.appending(path: "identity.key").path, withDestinationPath: "/proc/self/mem")
                let gateway = try await house.start()
                try await house.status(
                    showing: "cannot be written: unsent messages are lost at a stop (identity)")
                try await house.rig.subscribed()
                try await house.rig.send(150)
                _ = try await gateway.alarm()
            }
        }

        @Test(.enabled(if: MosquittoProcess.isInstalled))
        func `a key that the command makes signs, and a refusal ends the replay with an error`() async throws {
            let scratch = try ScratchDirectory()
            let key = scratch.file("issuer.jwk").path
            let made = try await BuiltProgram.run(["contract", "new-key", key])
            #expect(made.code == 0 && !made.output.contains("\"d\""), "\(made)")
            let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try await BuiltProgram.run(["contract", "new-key", key]).code != 0, "it replaces nothing")
            let keys = try scratch.write(made.output, to: "trackme.jwks")
            let broker = try MosquittoProcess("allow_anonymous true")
            try await broker.start()
            var settings = HouseSettings()
            settings.more = """
                [commands]
                clock = "assumed-right"
                [[commands.issuers]]
                id = "trackme"
                keys = "\(keys.path)"
                """
            try await House.with(settings, brokerPort: broker.port) { house in
                let gateway = try await house.start()
                let receipts = try scratch.write(
                    try await house.command("contract", "keys", "--jwks").output, to: "gateway.jwks")
                func replay(_ command: String) async throws -> BuiltProgram.Answer {
                    let token = try await BuiltProgram.answer(
                        of: [
                            BuiltProgram.homegateway, "contract", "sign", "--key", key, "--issuer", "trackme",
                            "--gateway", HouseSettings.gateway,
                        ], input: [command])
                    return try await BuiltProgram.answer(
                        of: [
                            BuiltProgram.homegateway, "contract", "replay", "--receipts", receipts.path,
                            "--broker",
                            "127.0.0.1:\(broker.port)", "--gateway", HouseSettings.gateway,
                        ], input: token.output.split(separator: "\n").map(String.init))
                }
                func isTaken() async throws -> Bool {
                    try await replay(#"{"type":"heartbeat-interval","seconds":30}"#).code == 0
                }
                #expect(try await eventually { try await isTaken() })
                let refused = try await replay(#"{"type":"drill","person":"nobody"}"#)
                #expect(refused.code == 1 && refused.output.contains("\"result\":\"refused\""), "\(refused)")
                #expect(try await gateway.daemon.terminate().code == 0)
            }
        }

        @Test func `a key of the gateway's own that is not one is replaced, told, and stops nothing`()
            async throws
        {
            try await House.with { house in
                // Of an earlier version, which kept no copy.
                _ = try house.scratch.write("nonsense", to: "state/identity.key")
                let gateway = try await house.start()
                try await gateway.feed.health("identity-renewed", true)
                try await house.status(showing: "Have the issuer of commands pin the new key")
                let keys = try await house.command("contract", "keys")
                #expect(keys.output.contains("\"crv\":\"Ed25519\""), "\(keys)")
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await gateway.alarm()
            }
        }
    }
}

/// Capacity of the limiter of receipts, repeated here on purpose.
private enum ReceiptRateBound {
    static let most = 20
}

extension House {
    /// Returns when the broker has subscribed the gateway to its commands.
    func subscribedToCommands(_ gateway: Gateway) async throws {
        try await gateway.daemon.child.errors.first("the subscription to commands") {
            $0.contains("subscribed") && $0.contains("/commands")
        }
    }
}
