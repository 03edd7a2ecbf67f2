import Foundation
import TestSupport
import Testing

extension Integration {
    /// Questions from outside: the house is told, and the asker learns the answer.
    @Suite struct Questions {
        private static func settings(_ cloud: Cloud, may: [String]? = nil) -> HouseSettings {
            var settings = HouseSettings(more: cloud.sections(may: may))
            settings.sound += "\nwaking_hours = \"00:00-23:59\""
            return settings
        }

        private static let request =
            #"{"type":"request","request":"study-7","person":"maria","purpose":"A study of hearts","#
            + #""kinds":["heart-rate"],"party":{"id":"uni","name":"University"}}"#

        private static func link(_ request: String, of person: String = "maria", code: String?) -> String {
            #"{"type":"request","request":"\#(request)","person":"\#(person)","purpose":"Link the account","#
                + #""kinds":[],"role":"acts","party":{"id":"trackme-account","name":"anna at trackme.example"}"#
                + (code.map { #","code":"\#($0)""# } ?? "") + "}"
        }

        /// Has the house make a code, and returns its digits.
        private static func linkCode(of person: String, in house: House) async throws -> String {
            let shown = try await house.command("link-code", person)
            #expect(shown.output.contains("House   \(HouseSettings.gateway)"), "\(shown)")
            let words = shown.output.split(whereSeparator: \.isWhitespace)
            let label = try #require(words.firstIndex(of: "Code"), "\(shown)")
            return words[label + 1].filter(\.isNumber)
        }

        private static func isAnswer(_ receipt: Cloud.Receipt, to request: String, _ verdict: String) -> Bool {
            receipt.event == "decided" && receipt.decision?.request == request
                && receipt.decision?.verdict == verdict
        }

        private func decisions(_ witness: Witness, of request: String) -> [Cloud.Receipt] {
            witness.messages.compactMap(Cloud.Receipt.init).filter { $0.decision?.request == request }
        }

        @Test func `a request is spoken in the house, and each answer of the house reaches the asker`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(Self.settings(cloud)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                let asked = try await cloud.ask(Self.request, of: witness)
                #expect(asked.result == "done", "\(asked)")
                try await gateway.daemon.room.first("the request in the room") {
                    $0.contains("University asks to see readings of Maria Rossi: heart rate.")
                        && $0.contains("A study of hearts") && $0.contains("homegateway consent show study-7")
                }
                for (word, verdict) in [
                    ("refuse", "refused"), ("accept", "accepted"), ("withdraw", "withdrawn"),
                ] {
                    let answer = try await house.command("consent", word, "study-7", "--by", "Maria")
                    #expect(answer.code == 0, "\(answer)")
                    let told = try await witness.receipt("the receipt: \(verdict)") {
                        Self.isAnswer($0, to: "study-7", verdict)
                    }
                    #expect(told.decision?.party == "uni" && told.decision?.person == "maria")
                    #expect(told.decision?.kinds == ["heart-rate"])
                    #expect((told.decision?.number == nil) == (verdict == "refused"))
                    #expect(!told.token.isEmpty && told.re == nil)
                }
                let policy = try await house.command("consent", "withdraw", "data-policy", "--person", "maria")
                #expect(policy.code == 0, "\(policy)")
                // The session stays open until the cloud knows.
                for name in ["automated-sos", "data-policy"] {
                    try await witness.receipt("the withdrawal of \(name)") {
                        $0.decision?.policy == name && $0.decision?.verdict == "withdrawn"
                    }
                }
            }
        }

        @Test
        func `an account of TrackMe is asked about in its own words, linked by a yes, and gets no copies`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(Self.settings(cloud)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                let code = try await Self.linkCode(of: "maria", in: house)
                let account = Self.link("link-1", code: code)
                for wrong in [
                    account.replacing(#""acts""#, with: #""owner""#),
                    account.replacing("trackme-account", with: "clinic")
                        .replacing(#""kinds":[]"#, with: #""kinds":["heart-rate"]"#),
                ] {
                    #expect(try await cloud.ask(wrong, of: witness).reason == "wrong-value", "\(wrong)")
                }
                #expect(try await cloud.ask(account, of: witness).result == "done")
                try await gateway.daemon.room.first("the question in the room") {
                    $0.contains(
                        "May the account anna at trackme.example see the data of Maria Rossi, as they are shown here, "
                            + "and act for Maria Rossi at TrackMe?")
                        && $0.contains("It could end permissions of companies")
                        && $0.contains("homegateway consent show link-1")
                }
                let shown = try await house.command("consent", "show", "link-1")
                #expect(shown.output.contains("may the account anna at trackme.example see the data"))
                #expect(shown.output.contains("and act for the person at TrackMe"))
                let accepted = try await house.command("consent", "accept", "link-1", "--by", "Maria")
                #expect(accepted.code == 0, "\(accepted)")
                let told = try await witness.receipt("the receipt") {
                    Self.isAnswer($0, to: "link-1", "accepted")
                }
                #expect(told.decision?.party == "trackme-account" && told.decision?.kinds == [])
                #expect(told.decision?.number != nil)
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await witness.first("the reading") { $0.topic.contains("/samples/") }
                let withdrawn = try await house.command("consent", "withdraw", "link-1", "--by", "Maria")
                #expect(withdrawn.code == 0, "\(withdrawn)")
                try await witness.receipt("the withdrawal") { Self.isAnswer($0, to: "link-1", "withdrawn") }
                #expect(!witness.messages.contains { $0.topic.contains("/parties/") })
            }
        }

        @Test
        func `without the code of the house no account is asked about; wrong codes and a restart void it`()
            async throws
        {
            let cloud = try Cloud()
            var settings = Self.settings(cloud)
            settings.residents.append(HouseSettings.paolo)
            try await House.with(settings) { house in
                var gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                func refused(_ request: String, _ reason: String) async throws {
                    let answer = try await cloud.ask(request, of: witness)
                    #expect(answer.result == "refused" && answer.reason == reason, "\(answer)")
                }
                try await refused(Self.link("early", code: "00000000"), "link-code-wrong")
                try await refused(Self.link("bare", code: nil), "link-code-missing")
                try await refused(Self.link("typed", code: "0000-0000 0"), "wrong-value")
                let code = try await Self.linkCode(of: "maria", in: house)
                // A stranger's name of a person is answered as a wrong code.
                for person in ["nobody", "paolo"] {
                    try await refused(Self.link("stranger", of: person, code: code), "link-code-wrong")
                }
                for number in 1...5 {
                    let wrong = code == "0000000\(number)" ? "00000000" : "0000000\(number)"
                    try await refused(Self.link("guess-\(number)", code: wrong), "link-code-wrong")
                }
                try await refused(Self.link("late", code: code), "link-code-over")
                let consents = try await house.command("consent", "list")
                #expect(!consents.output.contains("trackme-account") && !consents.output.contains("guess"))

                let next = try await Self.linkCode(of: "maria", in: house)
                #expect(try await cloud.ask(Self.link("right", code: next), of: witness).result == "done")
                try await refused(Self.link("again", code: next), "link-code-over")
                let asked = try await house.command("consent", "list")
                #expect(asked.output.contains("right") && !asked.output.contains("again"))

                let open = try await Self.linkCode(of: "maria", in: house)
                await gateway.daemon.child.killed()
                gateway = try await house.start()
                try await house.subscribedToCommands(gateway)
                try await refused(Self.link("restarted", code: open), "link-code-wrong")
                let bare = try await house.command("link-code", "nobody")
                #expect(bare.code != 0 && "\(bare)".contains("no [[person]] 'nobody'"), "\(bare)")
            }
        }

        @Test func `an answer is reported under one ID, whatever kills the gateway before the broker has it`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(Self.settings(cloud)) { house in
                let first = try await house.start()
                let before = try await house.witness()
                try await house.subscribedToCommands(first)
                let asked = try await cloud.ask(Self.request, of: before)
                #expect(asked.result == "done", "\(asked)")
                try await house.rig.perform("broker", "stop")
                try await first.feed.health("broker-unreachable", true)
                let answer = try await house.command("consent", "accept", "study-7", "--by", "Maria")
                #expect(answer.code == 0, "\(answer)")
                // Written down, and most likely not reported.
                await first.daemon.child.killed()
                let second = try await house.start()
                try await second.feed.health("broker-unreachable", true)
                await second.daemon.child.killed()

                try await house.rig.perform("broker", "start")
                let witness = try await house.witness()
                for _ in 0..<2 {
                    let gateway = try await house.start()
                    try await house.subscribedToCommands(gateway)
                    try await witness.receipt("the answer") { Self.isAnswer($0, to: "study-7", "accepted") }
                    try await house.status(showing: "unsent messages: 0")
                    await gateway.daemon.child.killed()
                }
                let told = decisions(witness, of: "study-7")
                #expect(Set(told.map(\.jti)).count == 1, "\(told)")
            }
        }

        @Test func `the default rights of an issuer end no alarm and move no limit`() async throws {
            let cloud = try Cloud()
            try await House.with(Self.settings(cloud)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                for command in [
                    #"{"type":"thresholds","person":"maria","kind":"heart-rate","high":120}"#,
                    #"{"type":"abort"}"#, #"{"type":"resolve"}"#,
                ] {
                    let refused = try await cloud.ask(command, of: witness)
                    #expect(refused.reason == "not-allowed", "\(refused)")
                }
                let drill = try await cloud.ask(#"{"type":"drill","person":"nobody"}"#, of: witness)
                #expect(drill.reason == "unknown-person", "\(drill)")
                let check = try await house.command("check", "--offline")
                #expect(
                    check.output.contains("issuer trackme may not: abort, automated-sos, decide"), "\(check)")
            }
        }

        @Test func `a limit that is widened from outside waits for a yes of the house, over a restart`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(Self.settings(cloud, may: Cloud.alarmRights)) { house in
                var gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                func move(_ limits: String) async throws -> Cloud.Receipt {
                    try await cloud.ask(
                        #"{"type":"thresholds","person":"maria","kind":"heart-rate",\#(limits)}"#, of: witness)
                }
                func told(_ verdict: String, of command: Cloud.Receipt) async throws {
                    try await witness.receipt("the receipt: \(verdict)") {
                        $0.event == "decided" && $0.decision?.limits == "heart-rate"
                            && $0.decision?.verdict == verdict && $0.re == command.re
                    }
                }
                // One limit narrows, and holds at once; the other waits.
                let first = try await move(#""high":160,"low":45"#)
                #expect(first.result == "waits", "\(first)")
                try await house.status(showing: "heart-rate low is 45.0 by command")
                try await gateway.daemon.room.first("the question in the room") {
                    $0.contains("less readily: heart rate.") && $0.contains("would be 160 bpm instead of 131")
                        && $0.contains("homegateway limits accept heart-rate --person maria")
                }
                var list = try await house.command("limits", "list")
                #expect(!list.output.contains("high is 160.0") && list.output.contains("waits"), "\(list)")

                await gateway.daemon.child.killed()
                gateway = try await house.start()
                try await house.subscribedToCommands(gateway)
                let refused = try await house.command(
                    "limits", "refuse", "heart-rate", "--person", "maria", "--by", "Maria")
                #expect(refused.code == 0, "\(refused)")
                try await told("refused", of: first)

                let second = try await move(#""high":150"#)
                let third = try await move(#""high":155"#)
                #expect(second.result == "waits" && third.result == "waits", "\(second), \(third)")
                try await told("replaced", of: second)
                let accepted = try await house.command(
                    "limits", "accept", "heart-rate", "--person", "maria", "--by", "Maria")
                #expect(accepted.code == 0, "\(accepted)")
                try await told("accepted", of: third)
                try await house.status(showing: "heart-rate high is 155.0 by command")
                list = try await house.command("limits", "accept", "heart-rate", "--person", "maria")
                #expect(list.code != 0 && list.errors.contains("waits for an answer"), "\(list)")
                let narrowed = try await move(#""high":120"#)
                #expect(narrowed.result == "done", "\(narrowed)")
                try await house.status(showing: "heart-rate high is 120.0 by command")
            }
        }

        @Test func `only those who decide for a person accept wider limits`() async throws {
            let cloud = try Cloud()
            var settings = Self.settings(cloud, may: Cloud.alarmRights)
            settings.residents[0].decidedBy = "Anna Rossi"
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                let waits = try await cloud.ask(
                    #"{"type":"thresholds","person":"maria","kind":"heart-rate","high":150}"#, of: witness)
                #expect(waits.result == "waits", "\(waits)")
                let stranger = try await house.command(
                    "limits", "accept", "heart-rate", "--person", "maria", "--by", "Bob")
                #expect(stranger.code != 0, "\(stranger)")
                let anna = try await house.command(
                    "limits", "accept", "heart-rate", "--person", "maria", "--by", "anna rossi")
                #expect(anna.code == 0, "\(anna)")
            }
        }

        @Test func `an emergency's disclosures outlive the gateway, and are shown to the person`() async throws
        {
            try await House.with(HouseSettings()) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await witness.call("confirmed")
                #expect(try await house.command("abort", "--by", "Maria").code == 0)
                try await witness.call("cancelled")
                func shown() async throws -> [Substring] {
                    try await house.command("consent", "history").output.split(separator: "\n").filter {
                        $0.contains(" sent to ") || $0.contains(" given to ")
                    }
                }
                let before = try await shown()
                #expect(before.contains { $0.contains("maria: emergency call given to") }, "\(before)")
                #expect(before.contains { $0.contains("maria: end of an emergency given to") }, "\(before)")
                #expect(try await gateway.daemon.terminate().code == 0)

                _ = try await house.start()
                #expect(try await shown() == before)
                let folder = house.scratch.file("export").path
                let export = try await house.command("my-data", "export", "--person", "maria", "--to", folder)
                #expect(export.code == 0, "\(export)")
                let rows = try String(contentsOfFile: folder + "/emergency-disclosures.json", encoding: .utf8)
                #expect(rows.contains(#""what":"emergency""#) && rows.contains(#""what":"end""#), "\(rows)")
                let erased = try await house.command("my-data", "erase", "--person", "maria", "--yes")
                #expect(
                    erased.output.contains("emergency disclosures: \(before.count) kept, because"), "\(erased)")
            }
        }
    }
}
