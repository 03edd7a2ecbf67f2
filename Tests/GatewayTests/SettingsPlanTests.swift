import GatewayModel
import ModelSamples
import SOSLocal
import Settings
import SettingsSamples
import Testing

/// The rules and recipients of a person's alarms, from the file to the plan.
@Suite struct `The settings of a plan` {
    private func sample(_ person: String) -> SettingsSample {
        var sample = SettingsSample()
        sample.person += "\n" + person
        return sample
    }

    private func complaints(_ person: String) -> [String] { sample(person).complaints }

    private func plan(_ person: String) throws -> SOSPlan {
        try #require(try sample(person).load().persons.first?.plan)
    }

    @Test func `every value of the alarm arrives`() throws {
        let plan = try plan(
            """
            [person.sos]
            abort_window_seconds = 20
            button_window_seconds = 1.5
            fall_window_seconds = 30
            shaking_window_seconds = 40
            warning_window_seconds = 90
            early_notice = true
            call = "side-by-side"
            channels = ["mqtt"]
            carers = ["mqtt"]
            handover_seconds = 7
            may_end = ["button", "console"]
            [person.sos.exercise]
            low = 45
            high = 180
            [person.sos.early_warning]
            enabled = true
            limit = 7
            priority = "high"
            second_scale = true
            on_oxygen = true
            [person.sos.silence]
            after_seconds = 900
            priority = "medium"
            """)
        #expect(plan.windows[.vitalSign] == .seconds(20) && plan.windows[.button] == .milliseconds(1_500))
        #expect(plan.windows[.fall] == .seconds(30) && plan.windows[.shaking] == .seconds(40))
        #expect(plan.windows.warning == .seconds(90) && plan.hasEarlyNotice)
        #expect(plan.ways.carers == [ChannelID(sample: "mqtt")] && plan.ways.handoverLimit == .seconds(7))
        #expect(plan.mayEnd == [.button, .console])
        #expect(plan.exerciseRules.map(\.limit) == [45, 180])
        let rule = EarlyWarningRule(limit: 7, priority: .high, usesSecondScale: true, isOnOxygen: true)
        #expect(plan.earlyWarning == rule)
        #expect(plan.silence == SilenceRule(limit: .seconds(900), priority: .medium))
    }

    @Test func `a kind has its own limits, confirmation and priority`() throws {
        let plan = try plan(
            """
            [person.sos.oxygen_saturation]
            low = 80
            warning_low = 86
            confirm_readings = 4
            confirm_within_seconds = 1.5
            [person.sos.diastolic_pressure]
            low = 40
            warnings = false
            [person.sos.heart_rate]
            warning_high = 120
            [person.sos.glucose]
            enabled = false
            warnings = false
            [person.sos.respiration_rate]
            warnings = false
            [person.sos.body_temperature]
            priority = "medium"
            warnings = false
            """)
        func rules(_ kind: QuantityKind) -> [LimitRule] { plan.rules.filter { $0.kind == kind } }
        #expect(rules(.oxygenSaturation).map(\.limit) == [80, 86])
        #expect(rules(.oxygenSaturation).map(\.priority) == [.high, .medium])
        #expect(
            rules(.oxygenSaturation)[0].confirmation == Confirmation(readings: 4, within: .milliseconds(1_500)))
        #expect(rules(.oxygenSaturation)[1].confirmation == .lasting(.seconds(60)), "its own")
        // Explicit settings are complete: the emergency limits of this kind are off unless they are written.
        #expect(rules(.diastolicPressure).map(\.name) == ["diastolic-pressure-low", "diastolic-pressure-high"])
        #expect(rules(.heartRate).map(\.limit) == [40, 131, 50, 120])
        // Outdated limits cost a warning and nothing else.
        #expect(rules(.glucose).isEmpty && rules(.respirationRate).isEmpty)
        #expect(rules(.bodyTemperature).map(\.priority) == [.medium, .medium])
    }

    @Test(arguments: [
        (
            "[person.sos.glucose]\nlow = 60",
            ":14: person.sos.glucose.low: saw 53.0 with low = 60.0, expected the "
        ),
        (
            "[person.sos.glucose]\nlow = 60\nwarning_low = 55",
            ":15: person.sos.glucose.warning_low: saw 55.0 with low = 60.0, expected the warning above it: raise "
        ),
        (
            "[person.sos.heart_rate]\nenabled = false\nlow = 50",
            ":14: person.sos.heart_rate.enabled: saw false while low is written"
        ),
        (
            "[person.sos.glucose]\nwarning_high = 280\nwarnings = false",
            ":15: person.sos.glucose.warnings: saw false while warning_high is written"
        ),
        (
            "[person.sos.body_temperature]\npriority = \"low\"",
            ":14: person.sos.body_temperature.priority: saw \"low\" while warnings are judged"
        ),
        (
            "[person.sos.exercise]\nlow = 80\nhigh = 95",
            ":15: person.sos.exercise.high: saw 95.0, 15.0 above low = 80.0"
        ),
        (
            "[person.sos.oxygen_saturation]\nhigh = 100",
            ":14: person.sos.oxygen_saturation.high: there is no such key"
        ),
        (
            "[person.sos]\nchannels = [\"mqt\"]",
            "expected the id of a channel, here \"mqtt\" (did you mean \"mqtt\"?)"
        ),
        ("[person.sos]\nchannels = []", ":14: person.sos.channels: saw an array, expected a list of ids"),
        ("[person.sos]\ncarers = [\"mqtt\", \"mqtt\"]", "write \"mqtt\" once"),
        ("[person.sos]\nmay_end = []", "with which no alarm could be ended"),
        ("[person.sos]\nmay_end = [\"channel\"]", "correct or remove \"channel\""),
        ("[person.sos]\ncall = \"inorder\"", "did you mean \"in-order\"?"),
    ])
    func `a contradiction is refused at its line`(person: String, expected: String) {
        let complaints = complaints(person)
        #expect(complaints.count == 1 && complaints.first?.contains(expected) == true, "\(complaints)")
    }

    @Test func `who decides for a person arrives, and nobody is not the same as not told`() throws {
        func deciders(_ text: String) throws -> [String]? {
            try #require(try sample(text).load().persons.first).decidedBy
        }
        #expect(try deciders("") == nil)
        #expect(try deciders("decided_by = []") == [])
        #expect(try deciders(#"decided_by = ["Anna Rossi"]"#) == ["Anna Rossi"])
        #expect(complaints("decided_by = \"Anna\"").first?.contains("write it in [ ]") == true)
    }

    @Test func `the digits of a person's PIN arrive, and nothing else is one`() throws {
        #expect(try #require(try sample(#"screen_pin = "0482""#).load().persons.first).screenPIN == "0482")
        #expect(try #require(try sample("").load().persons.first).screenPIN == nil)
        for wrong in [#""482""#, #""123456789""#, #""48 21""#, "4821", #""٤٨٢١""#] {
            let said = complaints("screen_pin = \(wrong)").first
            #expect(said?.contains("screen_pin") == true && said?.contains("48") == false, "\(said ?? wrong)")
        }
    }

    @Test func `what helpers are told of a person arrives`() throws {
        let person = """
            birth_year = 1941
            language = "it"
            medical_notes = ["pacemaker", "allergic to penicillin"]
            [[person.contact]]
            name = "Anna"
            phone = "+39 02 1234 5678"
            relation = "daughter"
            [[person.contact]]
            name = "Luigi"
            phone = "+39021234567"
            """
        let profile = try #require(try sample(person).load().persons.first?.profile)
        #expect(profile.birthYear == 1941 && profile.language == .italian)
        #expect(profile.medicalNotes == ["pacemaker", "allergic to penicillin"])
        #expect(
            profile.contacts == [
                PersonProfile.Contact(name: "Anna", phone: "+390212345678", relation: "daughter"),
                PersonProfile.Contact(name: "Luigi", phone: "+39021234567"),
            ])
        let plain = try #require(try SettingsSample().load().persons.first?.profile)
        #expect(plain.language == .english && plain.contacts.isEmpty && plain.medicalNotes.isEmpty)
    }

    @Test(arguments: ["0212345678", "+0212345678", "+39 02", "+1234567890123456", "+39-02-1234567", "112", ""])
    func `what cannot be called from everywhere is no phone number, and is not repeated`(phone: String) {
        let complaints = complaints("[[person.contact]]\nname = \"Anna\"\nphone = \"\(phone)\"")
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains(":15: person.contact.phone: saw a text of") == true, "\(complaints)")
    }

    @Test func `a number that is written twice is a mistake`() {
        let contact = "[[person.contact]]\nname = \"Anna\"\nphone = \"+390212345678\"\n"
        let complaints = complaints(contact + contact)
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("saw it again, expected another than at line 15") == true)
        #expect(complaints.first?.contains("3902") == false)
    }
}
