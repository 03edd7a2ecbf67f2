import Accounts
import CloudCommands
import ContractReading
import Foundation
import GatewayModel
import Houses
import Intake
import Logging
import MQTTBridge
import Parties
import SQLDatabase
import SiteSamples
import Store
import StoreSamples
import TestSupport
import Testing
import WebPages

/// Rules by which a company tells its patients apart: ids of persons and numbers of grants repeat from house to house.
struct PatientsTests {
    /// A person, her fiscal code, and the company's request for her data.
    private struct Patient {
        let subject: HousePerson
        let code: String
        var request: RequestID?
    }

    private let site: PartySite
    private let patients: [Patient]
    private let token: String

    /// Two persons called `maria`, of two houses, who have accepted with the same number of the grant.
    init() async throws {
        site = try await PartySite()
        try await site.addCompany()
        token = try await site.token()
        var patients = [("house-12", "RSSMRA41E42F205F"), ("house-13", "MRTMTT25D09F205Z")].map {
            Patient(subject: HousePerson(GatewayID($0)!, PersonID("maria")!), code: $1)
        }
        for (index, patient) in patients.enumerated() {
            let browser = site.trial.browser()
            await browser.register("maria\(index)")
            let account = try #require(
                try await site.trial.stores.accounts.account(named: UserName("maria\(index)")!))
            let link = try await site.trial.stores.link(
                account.id, to: patient.subject, as: "link-\(index)", at: site.now)
            try await site.give(patient.code, of: patient.subject, to: browser, by: link)
            let asked = await site.post(
                "/api/v1/party/requests",
                #"{"fiscal_code":"\#(patient.code)","purpose":"Study","kinds":["heart-rate"]}"#, token: token,
                headers: ["idempotency-key": "\(index)"])
            let place = try #require(asked.header("Location"))
            patients[index].request = RequestID(String(place.split(separator: "/").last ?? ""))
            #expect(!asked.text.contains("maria") && !asked.text.contains("house-1"), "\(asked.text)")
        }
        self.patients = patients
    }

    @Test func `a code that a second house gives is told on both pages, and finds the first person alone`()
        async throws
    {
        let browsers = [site.trial.browser(), site.trial.browser()]
        for (index, browser) in browsers.enumerated() {
            await browser.signIn("maria\(index)")
            #expect(await !browser.get("/sharing").text.contains("same fiscal code"))
        }
        let request = try #require(
            try await site.trial.stores.facts.sharing(.fiscalCode, of: patients[1].subject)?.request)
        let lookUp = site.trial.parts.sealer.lookUp(try FiscalCode(patients[0].code))
        let claim = StoredFact(
            subject: patients[1].subject, value: .fiscalCode(lookUp: lookUp), request: request,
            time: site.now.later(1))
        _ = try site.intake.keep([.fact(claim)], at: site.now.later(1))
        #expect(await browsers[0].get("/sharing").text.contains("Another house gives the same fiscal code"))
        #expect(await browsers[1].get("/sharing").text.contains("Another house gave the same fiscal code"))
        let sent = await site.post(
            "/api/v1/party/requests",
            #"{"fiscal_code":"\#(patients[0].code)","purpose":"Who","kinds":["heart-rate"]}"#, token: token,
            headers: ["idempotency-key": "who"])
        #expect(sent.status == 202)
        let (first, second) = (patients[0].subject, patients[1].subject)
        let store = PartyRequestStore(file: site.trial.file)
        #expect(try await store.requests(about: first, most: 9).map(\.request.purpose) == ["Who", "Study"])
        #expect(try await store.requests(about: second, most: 9).map(\.request.purpose) == ["Study"])
    }

    private func accept(_ patient: Patient, grant: Int64 = 5) throws {
        let yes = PartyEvent.answer(
            .clinic, try #require(patient.request), by: patient.subject,
            .decided(.accepted, entry: grant, grant: grant), at: site.now)
        _ = try site.intake.keep([.party(yes)], at: site.now)
    }

    /// A copy out of the contract's examples, as the house of a patient sends it.
    private func example(_ path: String, of patient: Patient, number: Int) throws -> InboundMessage {
        let file = Repository.root.appending(path: "docs/contract/examples/\(path).json")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let request = try #require(patient.request)
        let payload = text.replacing("study-7", with: request.text).replacing(
            #""grant": 4"#, with: #""grant": 5"#
        )
        .replacing("house-12", with: patient.subject.gateway.text)
        .replacing("019caa1b-3c40-7d10-8a01", with: "019caa1b-3c40-7d10-8b\(number)1")
        let kind = path.hasPrefix("sharedGap") ? "heart-rate/gap" : "heart-rate"
        return InboundMessage(
            topic: "trackme/v1/\(patient.subject.gateway)/parties/clinic/\(patient.subject.person)/\(kind)",
            payload: Array(payload.utf8), isRetained: false)
    }

    private func intake() async throws -> Intake {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let directory = HouseDirectory(store: site.trial.stores.houses, logger: logger)
        for patient in patients {
            let key = GatewayIdentity(makingOneFor: patient.subject.gateway).publicJWK
            try await site.trial.stores.houses.register(
                House(gateway: patient.subject.gateway, key: key, added: site.now))
        }
        try await directory.refresh()
        return Intake(
            store: site.intake, houses: directory, hub: LiveHub { BootInstant(nanoseconds: 0) },
            sealer: site.trial.parts.sealer, logger: logger,
            clock: site.trial.parts.clock)
    }

    private func messages(_ body: [UInt8]) throws -> [[String: Any]] {
        let json = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
        let holder = json["data"] as? [String: Any] ?? json
        return holder["messages"] as? [[String: Any]] ?? []
    }

    @Test func `an accepted request names house and person, and no other one does`() async throws {
        try accept(patients[0])
        let answers = await [
            site.get("/api/v1/party/requests/\(patients[0].request!)", token: token),
            site.get("/api/v1/party/requests/\(patients[1].request!)", token: token),
        ].map(\.text)
        #expect(answers[0].contains(#""grant":5,"house":"house-12""#), "\(answers[0])")
        #expect(answers[0].contains(#""person":"maria""#))
        #expect(!answers[1].contains("house-13") && !answers[1].contains("maria"), "\(answers[1])")
        try accept(patients[1])
        let list = await site.get("/api/v1/party/requests", token: token).text
        #expect(
            list.contains(#""grant":5,"house":"house-12""#) && list.contains(#""grant":5,"house":"house-13""#))
        let end = PartyEvent.answer(
            .clinic, patients[0].request!, by: patients[0].subject, .grantEnded(.withdrawn, grant: 5),
            at: site.now)
        _ = try site.intake.keep([.party(end)], at: site.now)
        let ended = await site.get("/api/v1/party/requests/\(patients[0].request!)", token: token).text
        #expect(!ended.contains("house-12") && !ended.contains("maria"), "\(ended)")
    }

    @Test(
        arguments: [
            "sharedSample/heart-rate", "sharedSamples/heart-rate", "sharedObservation/heart-rate",
            "sealed/reading",
            "sharedGap/thinned",
        ])
    func `log and webhook name the request of each copy, whatever its form`(_ form: String) async throws {
        for patient in patients { try accept(patient) }
        #expect(
            await site.post(
                "/api/v1/party/subscriptions", #"{"url":"https://clinic.example/hook"}"#, token: token
            ).status == 201)
        let copies = try patients.enumerated().map { try example(form, of: $1, number: $0) }
        try await intake().commit(copies)
        let page = try messages(Array(await site.get("/api/v1/party/shared", token: token).text.utf8))
        let batch = try #require(
            try await SubscriptionStore(file: site.trial.file).nextBatch(
                of: SubscriptionID(1), most: 9, bytes: 100_000, at: site.now))
        for list in [page, try messages(WebhookMessage(batch, at: site.now).body)] {
            #expect(list.count == 2, "\(list)")
            #expect(list.map { $0["request"] as? String } == patients.map { $0.request?.text })
            for (message, patient) in zip(list, patients) {
                let text = (message["payload"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
                #expect(String(decoding: text, as: UTF8.self).contains(try #require(patient.request).text))
                #expect((message["topic"] as? String)?.contains("/\(patient.subject.gateway)/") == true)
            }
        }
    }

    @Test func `a copy without a grant belongs to the request that it names, and to no newer one`() async throws
    {
        try accept(patients[0])
        let asked = await site.post(
            "/api/v1/party/requests",
            #"{"fiscal_code":"\#(patients[0].code)","purpose":"Later","kinds":["heart-rate"]}"#, token: token,
            headers: ["idempotency-key": "later"])
        var later = patients[0]
        later.request = RequestID(
            String(try #require(asked.header("Location")).split(separator: "/").last ?? ""))
        try accept(later, grant: 6)
        let copies = try [patients[0], later].enumerated().map { number, patient in
            try example("sharedObservation/heart-rate", of: patient, number: number)
        }
        let intake = try await intake()
        try intake.commit(copies)
        let page = try messages(Array(await site.get("/api/v1/party/shared", token: token).text.utf8))
        #expect(page.map { $0["request"] as? String } == [patients[0].request?.text, later.request?.text])
        // The end of the first grant: what it still has on its way is not handed out by the second one.
        let end = PartyEvent.answer(
            .clinic, patients[0].request!, by: patients[0].subject, .grantEnded(.withdrawn, grant: 5),
            at: site.now)
        _ = try site.intake.keep([.party(end)], at: site.now)
        try intake.commit([try example("sealed/reading", of: patients[0], number: 2)])
        let rest = try messages(Array(await site.get("/api/v1/party/shared", token: token).text.utf8))
        #expect(rest.map { $0["request"] as? String } == [later.request?.text])
    }
}
