import Accounts
import GatewayModel
import PageSecurity
import Store
import StoreSamples
import Synchronization
import TestSupport
import Testing

/// Rules of every store, written against its protocols alone.
struct StoreConformanceTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    private func withStores(
        _ kind: StoreUnderTest, _ body: (Stores) async throws -> Void
    ) async throws {
        try await kind.withStores { try await body($0) }
    }

    // MARK: Accounts

    @Test(arguments: StoreUnderTest.allCases)
    func `a user name belongs to one account`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            await #expect(throws: StoreFault.nameTaken(UserName("anna")!)) {
                try await stores.accounts.add(.sample("anna", at: noon))
            }
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            #expect(anna != paolo)
            #expect(try await stores.accounts.accounts().map(\.user.text) == ["anna", "paolo"])
            #expect(try await stores.accounts.account(named: UserName("ANNA")!)?.id == anna)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an account comes back as it was stored`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let new = NewAccount.sample("anna", at: noon)
            let id = try await stores.accounts.add(new)
            let account = try #require(try await stores.accounts.account(id))
            #expect(account.hash == new.hash)
            #expect(account.identity == new.identity)
            #expect(account.agreement == new.agreement)
            #expect(account.created == noon)
            try await stores.accounts.setLanguage(.italian, of: id)
            try await stores.accounts.setHash(PasswordHash(encoded: "other"), of: id)
            let changed = try #require(try await stores.accounts.account(id))
            #expect(changed.language == .italian)
            #expect(changed.hash.encoded == "other")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a removed account leaves no session, no link, and no reading that nobody may see`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            let session = Session(id: SessionToken().id, account: anna, created: noon, agent: "test")
            try await stores.accounts.open(session)
            _ = try await stores.link(anna, to: .maria, as: "link-a", at: noon)
            _ = try await stores.link(paolo, to: .maria, as: "link-b", at: noon)
            _ = try stores.intake.keep([.sample(.heartRate(70, at: noon, number: 1))], at: noon)

            try await stores.remove(anna, at: noon)
            #expect(try await stores.accounts.session(session.id) == nil)
            #expect(try await stores.links.links(of: anna).isEmpty)
            #expect(try await stores.samples.latest(of: .maria).count == 1)

            try await stores.remove(paolo, at: noon)
            #expect(try await stores.samples.latest(of: .maria).isEmpty)
            #expect(try await stores.samples.samples(of: .maria, nil, after: nil, most: 10).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a session ends for its own account alone`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            let session = Session(id: SessionToken().id, account: anna, created: noon, agent: "test")
            try await stores.accounts.open(session)
            try await stores.accounts.end(short: session.id.short, of: paolo)
            #expect(try await stores.accounts.session(session.id)?.account.id == anna)
            try await stores.accounts.end(short: session.id.short, of: anna)
            #expect(try await stores.accounts.session(session.id) == nil)

            try await stores.accounts.open(session)
            try await stores.accounts.endSessions(before: noon)
            #expect(try await stores.accounts.sessions(of: anna) == [session])
            try await stores.accounts.endSessions(before: noon.later(1))
            #expect(try await stores.accounts.sessions(of: anna).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a disabled account has no session, also none that a sign-in opens meanwhile`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            func open(_ account: AccountID) async throws -> Session {
                let session = Session(id: SessionToken().id, account: account, created: noon, agent: "test")
                try await stores.accounts.open(session)
                return session
            }
            let old = try await open(anna)
            let other = try await open(paolo)
            _ = try await stores.link(anna, to: .maria, as: "link-a", at: noon)
            try await stores.accounts.disable(anna, at: noon)
            try await stores.accounts.disable(anna, at: noon.later(60))
            #expect(try await stores.accounts.account(anna)?.disabled == noon)
            let late = try await open(anna)
            for session in [old, late] { #expect(try await stores.accounts.session(session.id) == nil) }
            #expect(try await stores.accounts.session(other.id)?.session == other)
            #expect(try await stores.links.links(of: anna).map(\.state) == [.linked])

            try await stores.accounts.enable(anna)
            #expect(try await stores.accounts.account(anna)?.disabled == nil)
            let new = try await open(anna)
            #expect(try await stores.accounts.session(new.id)?.session == new)
            #expect(try await stores.accounts.session(old.id) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a password that is reset ends the sessions of its own account alone`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            for account in [anna, paolo] {
                try await stores.accounts.open(
                    Session(id: SessionToken().id, account: account, created: noon, agent: "test"))
            }
            try await stores.accounts.reset(PasswordHash(encoded: "new"), of: anna, at: noon)
            #expect(try await stores.accounts.account(anna)?.hash.encoded == "new")
            #expect(try await stores.accounts.sessions(of: anna).isEmpty)
            #expect(try await stores.accounts.account(paolo)?.hash.encoded == "hash of paolo")
            #expect(try await stores.accounts.sessions(of: paolo).count == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an invitation is accepted once, also at two servers at one time`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withServers(2) { servers in
            let anna = try await servers[0].accounts.add(.sample("anna", at: noon))
            let agreement = AgreementConsent(version: 1, at: noon)
            for _ in 1...5 {
                let invitation = Invitation(at: noon)
                let secret = invitation.secret.hash
                try await servers[0].accounts.invite(
                    anna, by: invitation, hash: PasswordHash(encoded: "nobody's"), at: noon)
                #expect(try await servers[1].accounts.account(anna)?.hash.encoded == "nobody's")
                #expect(try await servers[1].accounts.invited(by: secret, at: noon)?.id == anna)
                async let first = servers[0].accounts.accept(
                    secret, hash: PasswordHash(encoded: "first"), agreement: agreement)
                async let second = servers[1].accounts.accept(
                    secret, hash: PasswordHash(encoded: "second"), agreement: agreement)
                let (isFirst, isSecond) = try await (first, second)
                #expect(isFirst != isSecond)
                #expect(
                    try await servers[0].accounts.account(anna)?.hash.encoded == (isFirst ? "first" : "second"))
                #expect(try await servers[0].accounts.invited(by: secret, at: noon) == nil)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an invitation ends by its time, and with its account`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let accounts = stores.accounts
            let anna = try await accounts.add(.sample("anna", at: noon))
            let invitation = Invitation(at: noon)
            let (secret, hash) = (invitation.secret.hash, PasswordHash(encoded: "nobody's"))
            try await accounts.invite(anna, by: invitation, hash: hash, at: noon)
            try await accounts.endInvitations(before: invitation.end)
            #expect(
                try await accounts.invited(by: secret, at: invitation.end.advanced(by: .seconds(-1))) != nil)
            #expect(try await accounts.invited(by: secret, at: invitation.end) == nil)
            try await accounts.endInvitations(before: invitation.end.later(1))
            #expect(try await accounts.invited(by: secret, at: noon) == nil)
            try await accounts.invite(anna, by: invitation, hash: hash, at: noon)
            try await accounts.remove(anna, at: noon) { _, _ in throw StoreFault.linkExists }
            #expect(try await accounts.invited(by: secret, at: noon) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a browser is known to its accounts until they forget it`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            let (own, other, fresh) = (SessionToken(), SessionToken(), SessionToken())
            let browser = BrowserID(own)
            // A secret that nobody has got from this server is not taken.
            let first = try await stores.accounts.remember(fresh, or: own, of: anna, at: noon)
            #expect(BrowserID(first) == browser)
            #expect(try await !stores.accounts.knows(BrowserID(fresh), of: anna, at: noon))
            #expect(try await stores.accounts.knows(browser, of: anna, at: noon))
            #expect(try await !stores.accounts.knows(browser, of: paolo, at: noon))
            let second = try await stores.accounts.remember(own, or: fresh, of: paolo, at: noon.later(5))
            #expect(BrowserID(second) == browser)
            #expect(try await stores.accounts.knows(browser, of: paolo, at: noon))

            let days = Int(BrowserID.lifetime.components.seconds)
            #expect(try await !stores.accounts.knows(browser, of: anna, at: noon.later(days)))
            #expect(try await stores.accounts.knows(browser, of: paolo, at: noon.later(days)))
            _ = try await stores.accounts.remember(own, or: fresh, of: anna, at: noon.later(9))
            #expect(try await stores.accounts.knows(browser, of: anna, at: noon.later(days)))
            try await stores.accounts.forgetBrowsers(before: noon.later(6))
            #expect(try await !stores.accounts.knows(browser, of: paolo, at: noon))
            #expect(try await stores.accounts.knows(browser, of: anna, at: noon))

            _ = try await stores.accounts.remember(other, or: other, of: anna, at: noon.later(10))
            try await stores.accounts.forgetBrowsers(of: anna, except: browser)
            #expect(try await stores.accounts.knows(browser, of: anna, at: noon))
            #expect(try await !stores.accounts.knows(BrowserID(other), of: anna, at: noon))
            for second in 0..<BrowserID.mostOfAccount {
                let token = SessionToken()
                _ = try await stores.accounts.remember(token, or: token, of: anna, at: noon.later(20 + second))
            }
            #expect(try await !stores.accounts.knows(browser, of: anna, at: noon))
        }
    }

    // MARK: Readings

    @Test(arguments: StoreUnderTest.allCases)
    func `a reading that comes twice is kept once, also in one batch`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let sample = StoredSample.heartRate(70, at: noon, number: 1)
            let first = try stores.intake.keep([.sample(sample), .sample(sample)], at: noon)
            #expect(first.fresh == [sample])
            #expect(first.repeated == 1)
            let second = try stores.intake.keep([.sample(sample)], at: noon)
            #expect(second.fresh.isEmpty)
            #expect(try await stores.samples.samples(of: .maria, nil, after: nil, most: 10) == [sample])
            let summaries = try await stores.samples.summaries(
                of: .maria, .heartRate, from: noon, to: noon.later(3_600), minutes: 60)
            #expect(summaries.map(\.count) == [1])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `minutes add up in any order and over batches`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let values: [(Double, Int)] = [(90, 61), (60, 0), (80, 59), (70, 1), (100, 3_599)]
            for (index, (value, second)) in values.enumerated() {
                _ = try stores.intake.keep(
                    [.sample(.heartRate(value, at: noon.later(second), number: index + 1))], at: noon)
            }
            let minutes = try await stores.samples.summaries(
                of: .maria, .heartRate, from: noon, to: noon.later(3_600), minutes: 1)
            #expect(
                minutes == [
                    Summary(begin: noon, count: 3, min: 60, mean: 70, max: 80),
                    Summary(begin: noon.later(60), count: 1, min: 90, mean: 90, max: 90),
                    Summary(begin: noon.later(3_540), count: 1, min: 100, mean: 100, max: 100),
                ])
            let hour = try await stores.samples.summaries(
                of: .maria, .heartRate, from: noon, to: noon.later(3_600), minutes: 60)
            #expect(hour == [Summary(begin: noon, count: 5, min: 60, mean: 80, max: 100)])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the newest value is the latest in time, not the last to come`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            _ = try stores.intake.keep(
                [
                    .sample(.heartRate(80, at: noon.later(10), number: 2)),
                    .sample(.heartRate(70, at: noon, number: 1)),
                ], at: noon)
            _ = try stores.intake.keep([.sample(.heartRate(60, at: noon.later(-60), number: 3))], at: noon)
            var lost = StoredSample.heartRate(0, at: noon.later(20), number: 4)
            lost = StoredSample(
                subject: lost.subject, kind: lost.kind, device: lost.device, id: lost.id, time: lost.time,
                value: lost.value, flags: .contactLost)
            _ = try stores.intake.keep([.sample(lost)], at: noon)
            let latest = try await stores.samples.latest(of: .maria)
            #expect(latest.map(\.value) == [80])
            #expect(latest.map(\.time) == [noon.later(10)])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `readings are paged by id, each once, and of one person alone`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let samples = (1...25).map { StoredSample.heartRate(Double($0), at: noon.later($0), number: $0) }
            let other = StoredSample.heartRate(1, at: noon, number: 99, of: .paolo)
            _ = try stores.intake.keep(samples.map { .sample($0) } + [.sample(other)], at: noon)
            var (found, after): ([StoredSample], MessageID?) = ([], nil)
            while true {
                let page = try await stores.samples.samples(of: .maria, .heartRate, after: after, most: 10)
                guard let last = page.last else { break }
                found += page
                after = last.id
            }
            #expect(found == samples)
            let some = try await stores.samples.samples(
                of: .maria, .heartRate, from: noon.later(5), to: noon.later(8), most: 10)
            #expect(some.map(\.value) == [5, 6, 7])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `readings after a withdrawn policy are not kept until it is accepted again`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            func decide(_ verdict: DecisionRecord.Verdict, _ entry: Int64) -> IntakeItem {
                .decision(
                    DecisionRecord(
                        subject: .maria, matter: .policy("data-policy"), verdict: verdict, at: noon,
                        entry: entry))
            }
            let first = try stores.intake.keep(
                [
                    .sample(.heartRate(70, at: noon, number: 1)), decide(.withdrawn, 5),
                    .sample(.heartRate(71, at: noon, number: 2)),
                ], at: noon)
            #expect(first.fresh.map(\.value) == [70])
            #expect(first.setAside == [.policyWithdrawn: 1])
            // An older entry of the ledger that comes late changes nothing.
            let second = try stores.intake.keep(
                [decide(.accepted, 4), .sample(.heartRate(72, at: noon, number: 3))], at: noon)
            #expect(second.fresh.isEmpty)
            let third = try stores.intake.keep(
                [decide(.accepted, 6), .sample(.heartRate(73, at: noon, number: 4))], at: noon)
            #expect(third.fresh.map(\.value) == [73])
        }
    }

    // MARK: Links

    @Test(arguments: StoreUnderTest.allCases)
    func `a link is open only between the yes and the no of its own person`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let id = try await stores.ask(anna, for: .maria, as: "link-a", at: noon)
            func state() async throws -> Link.State? { try await stores.links.link(id, of: anna)?.state }
            #expect(try await state() == .asked)

            _ = try stores.intake.keep([.decided("link-a", by: .paolo, .accepted, entry: 9)], at: noon)
            #expect(try await state() == .asked)
            _ = try stores.intake.keep([.decided("link-a", by: .maria, .accepted, entry: 3)], at: noon)
            #expect(try await state() == .linked)
            _ = try stores.intake.keep([.decided("link-a", by: .maria, .withdrawn, entry: 4)], at: noon)
            #expect(try await state() == .ended)
            // The receipt of the yes comes again.
            _ = try stores.intake.keep([.decided("link-a", by: .maria, .accepted, entry: 3)], at: noon)
            #expect(try await state() == .ended)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `two accounts may ask for one person, and each needs a yes of its own`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            let first = try await stores.ask(anna, for: .maria, as: "link-a", at: noon)
            let second = try await stores.ask(paolo, for: .maria, as: "link-b", at: noon)
            _ = try stores.intake.keep([.decided("link-b", by: .maria, .accepted, entry: 1)], at: noon)
            #expect(try await stores.links.link(first, of: anna)?.state == .asked)
            #expect(try await stores.links.link(second, of: paolo)?.state == .linked)
            #expect(try await stores.links.link(second, of: anna) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an account has one open link to a person, and asks five times a day at most`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            for number in 1...5 {
                _ = try await stores.ask(anna, for: .maria, as: "link-\(number)", at: noon)
                await #expect(throws: number < 5 ? StoreFault.linkExists : .tooManyLinks) {
                    try await stores.ask(anna, for: .maria, as: "link-x\(number)", at: noon)
                }
                _ = try stores.intake.keep(
                    [.decided("link-\(number)", by: .maria, .refused, entry: Int64(number))], at: noon)
            }
            let next = noon.later(86_401)
            _ = try await stores.ask(anna, for: .maria, as: "link-6", at: next)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a person has two open questions for a link at most, whoever asks`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            var accounts: [AccountID] = []
            for user in ["anna", "bruno", "carla"] {
                accounts.append(try await stores.accounts.add(.sample(user, at: noon)))
            }
            _ = try await stores.ask(accounts[0], for: .maria, as: "link-a", at: noon)
            _ = try await stores.ask(accounts[1], for: .maria, as: "link-b", at: noon)
            await #expect(throws: StoreFault.tooManyQuestions) {
                try await stores.ask(accounts[2], for: .maria, as: "link-c", at: noon)
            }
            // Neither a link nor a command is left of it.
            #expect(try await stores.links.links(of: accounts[2]).isEmpty)
            #expect(try await stores.links.openCommandCount() == 2)
            _ = try await stores.ask(accounts[2], for: .paolo, as: "link-d", at: noon)

            _ = try stores.intake.keep([.decided("link-a", by: .maria, .accepted, entry: 1)], at: noon)
            _ = try await stores.ask(accounts[2], for: .maria, as: "link-e", at: noon)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `servers that race ask a person two questions at most`(_ kind: StoreUnderTest) async throws {
        try await kind.withServers(2) { servers in
            var accounts: [AccountID] = []
            for number in 0..<6 {
                accounts.append(try await servers[0].accounts.add(.sample("user-\(number)", at: noon)))
            }
            await withTaskGroup(of: Void.self) { group in
                for (number, account) in accounts.enumerated() {
                    group.addTask {
                        _ = try? await servers[number % 2].ask(
                            account, for: .maria, as: "link-\(number)", at: noon)
                    }
                }
            }
            var asked = 0
            for account in accounts { asked += try await servers[0].links.links(of: account).count }
            #expect(asked == 2)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a link that its user ends is ended at once, whatever the house says later`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let id = try await stores.ask(anna, for: .maria, as: "link-a", at: noon)
            _ = try stores.intake.keep([.decided("link-a", by: .maria, .accepted, entry: 1)], at: noon)
            let isEnded = try await stores.links.end(id, of: anna, at: noon) { link, sequence in
                .sample("withdraw-\(sequence)", about: link.request.text, at: noon)
            }
            #expect(isEnded)
            #expect(try await stores.links.openCommandCount() == 2)
            _ = try stores.intake.keep([.decided("link-a", by: .maria, .accepted, entry: 2)], at: noon)
            #expect(try await stores.links.link(id, of: anna)?.state == .ended)
            let isEndedAgain = try await stores.links.end(id, of: anna, at: noon) { _, _ in
                .sample("never", about: "link-a", at: noon)
            }
            #expect(!isEndedAgain)
        }
    }

    // MARK: Commands

    @Test(arguments: StoreUnderTest.allCases)
    func `a command is due until its receipt, and its sequence numbers rise`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let sequences = Recorder<Int64>()
            for (number, subject) in [HousePerson.maria, .paolo].enumerated() {
                _ = try await stores.links.ask(
                    NewLink(
                        account: anna, subject: subject, role: .acts, request: RequestID("link-\(number)")!,
                        asked: noon)
                ) { sequence in
                    sequences.add(sequence)
                    return .sample("command-\(number)", about: "link-\(number)", at: noon)
                }
            }
            #expect(sequences.values == [noon.millisecondsSince1970, noon.millisecondsSince1970 + 1])
            #expect(try await stores.links.due(at: noon, most: 10).map(\.id) == ["command-0", "command-1"])
            try await stores.links.markSent("command-0", next: noon.later(30))
            #expect(try await stores.links.due(at: noon, most: 10).map(\.id) == ["command-1"])
            #expect(try await stores.links.due(at: noon.later(30), most: 10).count == 2)

            func answer(_ command: String, from gateway: GatewayID, _ refusal: String?) -> IntakeItem {
                .answer(CommandAnswer(gateway: gateway, command: command, refusal: refusal, at: noon))
            }
            _ = try stores.intake.keep([answer("command-0", from: GatewayID("house-99")!, "expired")], at: noon)
            #expect(try await stores.links.openCommandCount() == 2)
            _ = try stores.intake.keep(
                [
                    answer("command-0", from: HousePerson.maria.gateway, nil),
                    answer("command-1", from: HousePerson.paolo.gateway, "not-allowed"),
                ], at: noon)
            #expect(try await stores.links.openCommandCount() == 0)
            let links = try await stores.links.links(of: anna)
            #expect(links.map(\.state) == [.failed, .asked])
            #expect(links.map(\.reason) == ["not-allowed", nil])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a command without a receipt expires, and its link has failed`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let id = try await stores.ask(anna, for: .maria, as: "link-a", at: noon)
            try await stores.links.expireCommands(at: noon.later(3_599))
            #expect(try await stores.links.link(id, of: anna)?.state == .asked)
            try await stores.links.expireCommands(at: noon.later(3_600))
            #expect(try await stores.links.link(id, of: anna)?.state == .failed)
            #expect(try await stores.links.link(id, of: anna)?.reason == "no-answer")
            #expect(try await stores.links.openCommandCount() == 0)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a withdrawal does not expire, and is replaced until the house answers`(
        _ kind: StoreUnderTest
    ) async throws {
        try await withStores(kind) { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let link = try await stores.link(anna, to: .maria, as: "link-a", at: noon)
            _ = try await stores.links.end(link, of: anna, at: noon) { _, _ in
                .sample("withdraw", about: "link-a", at: noon, isWithdrawal: true)
            }
            let later = noon.later(3_600)
            #expect(try await stores.links.endedWithdrawals(at: noon.later(3_599), most: 9).isEmpty)
            try await stores.links.expireCommands(at: later)
            #expect(try await stores.links.due(at: later, most: 9).isEmpty)
            #expect(try await stores.links.endedWithdrawals(at: later, most: 9).map(\.id) == ["withdraw"])
            for _ in 1...2 {
                // The second time it is gone: nothing takes its place.
                try await stores.links.replace("withdraw", at: later) { sequence in
                    #expect(sequence >= later.millisecondsSince1970)
                    return .sample("withdraw anew", about: "link-a", at: later, isWithdrawal: true)
                }
            }
            #expect(try await stores.links.due(at: later, most: 9).map(\.id) == ["withdraw anew"])
            let answer = CommandAnswer(
                gateway: HousePerson.maria.gateway, command: "withdraw anew", refusal: nil, at: later)
            _ = try stores.intake.keep([.answer(answer)], at: later)
            #expect(try await stores.links.openCommandCount() == 0)
            // A receipt that comes at the same time as the replacement.
            try await stores.links.replace("withdraw anew", at: later) { _ in
                .sample("never", about: "link-a", at: later, isWithdrawal: true)
            }
            #expect(try await stores.links.openCommandCount() == 0)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `servers that race give each command a number of its own`(_ kind: StoreUnderTest) async throws {
        try await kind.withServers(3) { servers in
            // An account may ask for five links in a day.
            var accounts: [AccountID] = []
            for user in ["anna", "paolo", "carla"] {
                accounts.append(try await servers[0].accounts.add(.sample(user, at: noon)))
            }
            let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
                for (index, server) in servers.enumerated() {
                    for turn in 0..<5 {
                        let name = "link-\(index)-\(turn)"
                        let link = NewLink(
                            account: accounts[index],
                            subject: HousePerson(GatewayID("house-\(index)-\(turn)")!, PersonID("maria")!),
                            role: .acts, request: RequestID(name)!, asked: noon)
                        group.addTask {
                            let taken = Mutex<Int64>(0)
                            _ = try await server.links.ask(link) { sequence in
                                taken.withLock { $0 = sequence }
                                return .sample(name, about: name, at: noon)
                            }
                            return taken.withLock(\.self)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(numbers.count == 15)
            #expect(Set(numbers).count == 15)
            #expect(try await servers[2].links.openCommandCount() == 15)
        }
    }

    // MARK: Dead letters and houses

    @Test(arguments: StoreUnderTest.allCases)
    func `dead letters are bounded, the newest stay`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let letters = (0..<DeadLetter.kept + 20).map { number in
                IntakeItem.unusable(
                    DeadLetter(
                        topic: "topic/\(number)", payload: [UInt8](repeating: 1, count: 70_000),
                        reason: .unreadable, detail: "test", at: noon))
            }
            let result = try stores.intake.keep(letters, at: noon)
            #expect(result.setAside == [.unreadable: DeadLetter.kept + 20])
            let kept = try await stores.intake.deadLetters(most: 5_000)
            #expect(kept.count == DeadLetter.kept)
            #expect(kept.first?.topic == "topic/\(DeadLetter.kept + 19)")
            #expect(kept.first?.payload.count == DeadLetter.keptBytes)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a house that is registered again has its new key`(_ kind: StoreUnderTest) async throws {
        try await withStores(kind) { stores in
            let gateway = HousePerson.maria.gateway
            #expect(try stores.intake.houseKey(of: gateway) == nil)
            try await stores.houses.register(House(gateway: gateway, key: "first", added: noon))
            try await stores.houses.register(House(gateway: gateway, key: "second", added: noon.later(1)))
            #expect(try stores.intake.houseKey(of: gateway) == "second")
            #expect(try await stores.houses.houses().map(\.added) == [noon])
            #expect(try await stores.houses.house(gateway)?.key == "second")
        }
    }
}
