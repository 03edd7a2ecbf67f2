import CommandSamples
import Foundation
import GatewayModel
import Glibc
import TestSupport
import Testing

extension Integration {
    /// Profile, limits and channels that a person sets without the installer, seen from outside.
    @Suite struct `Personal settings` {
        private static let note = "allergic to latex"
        private static let phone = "+393331234567"

        private static func settings(decidedBy: String? = nil) -> HouseSettings {
            var settings = HouseSettings()
            settings.residents[0].decidedBy = decidedBy
            settings.person = """
                birth_year = 1941
                medical_notes = ["pacemaker"]
                contact = [{ name = "Luisa", phone = "+390212345678", relation = "neighbour" }]
                """
            return settings
        }

        /// The call of a new alarm.
        private static func call(_ house: House, _ gateway: House.Gateway, _ witness: Witness) async throws
            -> WireMessage
        {
            let mark = witness.mark
            // Back inside first: the value of the last alarm may have stayed beyond its limit.
            for rate in [71, 150] { try await house.rig.sendWhenSubscribed(rate) }
            let call = try await witness.call("confirmed", after: mark)
            #expect(try await house.command("abort", "--by", "Maria").code == 0)
            return call
        }

        @Test func `of a user without root are in the next call for help, and outlive a kill`() async throws {
            try await House.with(Self.settings(decidedBy: "Anna Rossi")) { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await house.rig.subscribed()
                // The group of the socket alone: as a member of homegateway.
                let group =
                    try FileManager.default.attributesOfItem(atPath: house.controlSocket)[
                        .groupOwnerAccountID] as? Int
                let unprivileged =
                    getuid() == 0
                    ? ["setpriv", "--reuid=65534", "--regid=\(try #require(group))", "--clear-groups"] : []
                func asUser(_ words: String...) async throws -> BuiltProgram.Answer {
                    try await BuiltProgram.answer(
                        of: ["/usr/bin/env"] + unprivileged + [BuiltProgram.homegateway] + words + [
                            "--person", "maria", "--by", "anna  rossi", "--socket", house.controlSocket,
                        ], environment: [:])
                }
                let contact = try await asUser(
                    "profile", "add-contact", "--name", "Paolo", "--phone", Self.phone, "--relation", "son")
                #expect(contact.code == 0 && contact.output.contains("Paolo, \(Self.phone), son"), "\(contact)")
                #expect(try await asUser("profile", "add-note", Self.note).code == 0)
                let set = try await asUser(
                    "profile", "set", "--name", "Mariuccia", "--telephone", "+39 02 7654321", "--height", "164")
                #expect(set.code == 0, "\(set)")

                let call = try await Self.call(house, first, witness)
                for words in ["Mariuccia", Self.note, "pacemaker", Self.phone, "Luisa", "1941", "+39027654321"]
                {
                    #expect(call.text.contains(words), "\(words): \(call.text)")
                }
                let status = try await house.command("status")
                #expect(
                    status.output.contains("maria: name, height, telephone, notes, contacts set by the person"),
                    "\(status)")
                #expect(!first.daemon.log.contains(Self.note) && !first.daemon.log.contains(Self.phone))

                await first.daemon.child.killed()
                let second = try await house.start()
                let shown = try await house.command("profile", "show", "--person", "maria")
                #expect(shown.output.contains("anna  rossi, 20"), "\(shown)")
                let again = try await Self.call(house, second, witness)
                #expect(again.text.contains(Self.note) && again.text.contains("Mariuccia"), "\(again.text)")
            }
        }

        @Test func `are changed by nobody else, and a wrong value changes nothing and says why`() async throws {
            try await House.with(Self.settings(decidedBy: "Anna Rossi")) { house in
                _ = try await house.start()
                let stranger = try await house.command(
                    "profile", "set", "--gender", "female", "--person", "maria", "--by", "Luca")
                #expect(
                    stranger.code == 1 && stranger.errors.contains("by: saw 'Luca', expected 'maria'"),
                    "\(stranger)")
                // A name that is only shown gives no right, and takes none.
                let name = try await house.command(
                    "profile", "set", "--name", "Luca", "--person", "maria", "--by", "Maria Rossi")
                #expect(name.code == 0, "\(name)")
                let renamed = try await house.command(
                    "profile", "set", "--gender", "female", "--person", "maria", "--by", "Luca")
                #expect(renamed.code == 1, "\(renamed)")
                for (words, reason) in [
                    (
                        ["profile", "set", "--fiscal-code", "MRTMTT25D09F205X"],
                        "fiscal-code: saw 'MRTMTT25D09F205X', expected a last character that fits the others"
                    ),
                    (
                        ["limits", "set", "heart-rate", "--high", "300"],
                        "high: saw 300.0, expected a number, 90.0...220.0: choose a value in this range"
                    ),
                    (
                        ["channels", "set", "mqtt", "--emergency", "off"],
                        "channel: saw 'mqtt', expected one of own_channels in the settings, here none"
                    ),
                    (["profile", "show"], "no person 'paolo' in the settings"),
                ] {
                    let person = words.last == "show" ? "paolo" : "maria"
                    let author = words.last == "show" ? [] : ["--by", "Maria Rossi"]
                    let answer = try await house.command(words + ["--person", person] + author)
                    #expect(answer.code == 1 && answer.errors.contains(reason), "\(words): \(answer)")
                }
                let shown = try await house.command("profile", "show", "--person", "maria")
                #expect(!shown.output.contains("MRTMTT") && !shown.output.contains("female"), "\(shown)")
            }
        }

        @Test func `move a limit within its bounds, over a restart, and back`() async throws {
            try await House.with(Self.settings()) { house in
                let first = try await house.start()
                try await house.rig.subscribed()
                let set = try await house.command(
                    "limits", "set", "heart-rate", "--high", "100", "--person", "maria", "--by", "Maria")
                #expect(set.code == 0 && set.output.contains("moved, 131.0 in the settings"), "\(set)")
                try await house.rig.send(110)
                try await first.alarm()
                #expect(try await house.command("abort", "--by", "Maria").code == 0)
                await first.daemon.child.killed()

                _ = try await house.start()
                let kept = try await house.command("limits", "show", "--person", "maria")
                #expect(kept.output.contains("moved, 131.0 in the settings"), "\(kept)")
                let reset = try await house.command("limits", "reset", "heart-rate", "--person", "maria")
                #expect(reset.code == 0 && !reset.output.contains("moved"), "\(reset)")
            }
        }

        @Test func `switch a channel that the installer leaves to the person, and never all of them`()
            async throws
        {
            let service = try await AmbulanceProcess()
            do {
                var settings = Self.settings()
                settings.person = "own_channels = [\"family\", \"mqtt\"]\n" + settings.person
                settings.calls = "channels = [\"mqtt\"]"
                settings.more = service.channel("family", path: "take")
                try await House.with(settings) { house in
                    let gateway = try await house.start()
                    try await house.rig.subscribed()
                    let alone = try await house.command(
                        "channels", "set", "mqtt", "--emergency", "off", "--person", "maria")
                    #expect(
                        alone.code == 1 && alone.errors.contains("nobody would be called"), "\(alone)")
                    for words in [["family", "--emergency", "on"], ["mqtt", "--emergency", "off"]] {
                        let answer = try await house.command(
                            ["channels", "set"] + words + ["--person", "maria"])
                        #expect(answer.code == 0, "\(answer)")
                    }
                    try await house.rig.send(150)
                    let alarm = try await gateway.alarm()
                    try await service.first("Alert", of: alarm.alarm)
                    // The service may have the call before the reader of the feed has its line.
                    try await gateway.feed.first("dispatch")
                    let order = gateway.feed.lines.values.filter { $0.event == "dispatch" }.compactMap(
                        \.channel)
                    #expect(order == ["family"])
                    #expect(try await house.command("abort", "--by", "Maria").code == 0)
                    // A reload keeps the choice, as long as the installer leaves the channel to the person.
                    #expect(try await house.command("reload").output.contains("nothing has changed"))
                    let shown = try await house.command("channels", "show", "--person", "maria")
                    #expect(shown.output.contains("mqtt     off"), "\(shown)")
                    try house.edit("own_channels = [\"family\", \"mqtt\"]", "own_channels = [\"family\"]")
                    #expect(try await house.command("reload").code == 0)
                    let back = try await house.command("channels", "show", "--person", "maria")
                    #expect(back.output.contains("mqtt     on"), "\(back)")
                }
            } catch {
                await service.end()
                throw error
            }
            await service.end()
        }

        @Test func `change by a signed command of an issuer that decides for the person, and of no other`()
            async throws
        {
            let (cloud, other) = (try Cloud(), TestIssuer.p256("operator", keyID: "op-1"))
            let stranger = try Cloud(other)
            var settings = Self.settings(decidedBy: cloud.issuer.id)
            // The second issuer may send the command, and the person's settings do not name it.
            settings.more =
                cloud.sections(may: ["profile"])
                + stranger.sections(may: ["profile"]).replacing(
                    "[commands]\nclock = \"assumed-right\"\n", with: "")
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                try await house.rig.subscribed()
                func command(_ members: String) -> String {
                    #"{"type":"profile","person":"maria",\#(members)}"#
                }
                let refused = try await stranger.ask(command(#""height":164"#), of: witness)
                #expect(refused.result == "refused" && refused.reason == "not-allowed", "\(refused)")
                let wrong = try await cloud.ask(command(#""telephone":"02 999999""#), of: witness)
                #expect(wrong.reason == "wrong-value" && wrong.detail?.contains("999999") == false, "\(wrong)")

                let done = try await cloud.ask(
                    command(
                        #""telephone":"\#(Self.phone)","birth_date":null,"add_notes":["\#(Self.note)"],"#
                            + #""remove_contacts":["+390212345678"]"#), of: witness)
                #expect(done.result == "done", "\(done)")
                #expect(done.detail == "maria: birth-date, telephone, notes, contacts changed", "\(done)")
                let shown = try await house.command("profile", "show", "--person", "maria")
                #expect(shown.output.contains("trackme, 20") && shown.output.contains(Self.phone), "\(shown)")
                let call = try await Self.call(house, gateway, witness)
                #expect(call.text.contains(Self.note) && !call.text.contains("Luisa"), "\(call.text)")
                #expect(!call.text.contains("1941"), "\(call.text)")
            }
        }

        @Test func `are not among the standard rights of an issuer`() async throws {
            let cloud = try Cloud()
            var settings = Self.settings(decidedBy: cloud.issuer.id)
            settings.more = cloud.sections()
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                let receipt = try await cloud.ask(
                    #"{"type":"profile","person":"maria","height":164}"#, of: witness)
                #expect(receipt.reason == "not-allowed", "\(receipt)")
            }
        }
    }
}
