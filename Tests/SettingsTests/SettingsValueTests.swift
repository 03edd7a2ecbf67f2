import GatewayModel
import SOSLocal
import SettingsReading
import SettingsSamples
import Testing

@testable import Settings

@Suite struct SettingsValueTests {
    @Test func `a key that is not written has its documented default`() throws {
        let settings = try SettingsSample().load()
        #expect(settings.gateway.stateDirectory == "/var/lib/homegateway")
        #expect(settings.gateway.controlSocket == "/run/homegateway/control.sock")
        #expect(settings.gateway.logLevel == .info)
        #expect(settings.bluetooth.bus == .system)
        #expect(settings.bluetooth.adapter == nil)
        #expect(settings.bluetooth.tracksideAdapter == nil)
        #expect(!settings.bluetooth.mayRestartBluetooth)
        #expect(settings.gpsd == .init(isEnabled: true, host: "127.0.0.1", port: 2947))
        #expect(settings.broker.access.addresses == [.init(host: "broker.trackme.example", port: 8883)])
        #expect(settings.broker.access.sessionExpiry == .seconds(604_800))
        #expect(settings.broker.access.keepAlive == .seconds(30))
        #expect(settings.broker.readings == .samples)
        #expect(settings.broker.access.login == nil)
        #expect(settings.gateway.heartbeat == .seconds(60))
        #expect(settings.house.wakingHours.begin == DayTime("07:00"))
        #expect(settings.house.wakingHours.end == DayTime("22:00"))
        #expect(settings.sos.channelTests == .seconds(86_400))
        #expect(settings.sos.drill == nil)
        #expect(settings.persons.map(\.sampleIntervals) == [[:]])
        #expect(settings.warnings.isEmpty)
    }

    @Test func `the interval of samples is written for each kind, and 0 is none`() throws {
        var sample = SettingsSample()
        sample.person += "\n[person.sample_seconds]\nheart_rate = 10\nrr_interval = 3600\nglucose = 0\n"
        #expect(
            try sample.load().persons.map(\.sampleIntervals)
                == [[.heartRate: .seconds(10), .rrInterval: .seconds(3_600)]])
        for wrong in ["heart_rate = 3601", "heart_rate = -1", "heart_rate = 2.5", "pulse = 5"] {
            sample.person = SettingsSample().person + "\n[person.sample_seconds]\n\(wrong)\n"
            #expect(sample.complaints.count == 1, "\(wrong): \(sample.complaints)")
        }
    }

    @Test func `a drill needs only its interval`() throws {
        var sample = SettingsSample()
        sample.more = "[sos.drill]\nevery_days = 7"
        let drill = try #require(try sample.load().sos.drill)
        #expect(drill.everyDays == 7)
        #expect(drill.at == DayTime("11:00"))
    }

    @Test func `a person without a question has accepted nothing`() throws {
        let person = try #require(try SettingsSample().load().persons.first)
        #expect(person.dataPolicy == .notAccepted)
        #expect(person.automatedSOS == .notAccepted)
    }

    @Test func `the default plan is that of the SOS rules`() throws {
        let plan = try #require(try SettingsSample().load().persons.first?.plan)
        #expect(plan.person == PersonID("maria"))
        #expect(plan.windows[.vitalSign] == .seconds(2.5))
        #expect(plan.ways.repeatInterval == EscalationPlan.defaultRepeatInterval)
        #expect(plan.rearmInterval == SOSPlan.defaultRearmInterval)
        #expect(plan.ways.channels == [ChannelID("mqtt")].compactMap(\.self))
        #expect(plan.ways == EscalationPlan(channels: plan.ways.channels))
        #expect(plan.rules == RuleDefaults.rules)
        #expect(plan.exerciseRules.map(\.limit) == [40, 170])
        #expect(plan.windows.warning == AbortWindows.defaultWarning && plan.mayEnd == SOSPlan.everyMeans)
        #expect(!plan.hasEarlyNotice && plan.earlyWarning == nil && plan.silence == nil)
        #expect(plan.timelines.allSatisfy { $0.keepsPromise })
    }

    @Test func `every written value arrives`() throws {
        var sample = SettingsSample()
        sample.gateway += "\nlog_level = \"debug\"\nstate_directory = \"/data\"\ncontrol_socket = \"/run/c\""
        sample.broker += """

            port = 9000
            client_certificate_file = "/etc/c.pem"
            client_key_file = "/etc/c.key"
            username = "box"
            password_file = "/etc/p"
            keep_alive_seconds = 60
            session_expiry_seconds = 3600
            readings = "fhir"
            """
        sample.person += """

            data_policy = "accepted"
            automated_sos = "accepted"
            [person.sos]
            abort_window_seconds = 1
            repeat_seconds = 20
            rearm_seconds = 120
            [person.sos.heart_rate]
            low = 35
            high = 150.5
            confirm_readings = 4
            confirm_within_seconds = 3.25
            """
        sample.more = """
            [bluetooth]
            bus = "unix:path=/tmp/bus"
            adapter = "hci1"
            trackside_adapter = "00:1b:dc:07:31:01"
            may_restart_bluetooth = true
            [gpsd]
            enabled = false
            host = "fe80::1%eth0"
            port = 2948
            """
        let settings = try sample.load()
        #expect(settings.gateway.logLevel == .debug)
        #expect(settings.gateway.stateDirectory == "/data")
        #expect(settings.gateway.controlSocket == "/run/c")
        #expect(settings.bluetooth.bus == .address("unix:path=/tmp/bus"))
        #expect(settings.bluetooth.adapter == "hci1")
        #expect(settings.bluetooth.tracksideAdapter == "00:1B:DC:07:31:01")
        #expect(settings.bluetooth.mayRestartBluetooth)
        #expect(settings.gpsd == .init(isEnabled: false, host: "fe80::1%eth0", port: 2948))
        #expect(settings.broker.access.addresses.map(\.port) == [9000])
        #expect(settings.broker.access.keepAlive == .seconds(60))
        #expect(settings.broker.access.sessionExpiry == .seconds(3600))
        #expect(settings.broker.readings == .fhir)
        #expect(settings.broker.access.login?.username == .written("box"))
        #expect(settings.broker.access.login?.passwordFile?.description == "/etc/p")
        guard case .tls(let tls) = settings.broker.access.security else { throw SampleIsWrong() }
        #expect(tls.caFile == "/etc/homegateway/ca.pem")
        #expect(tls.client?.certificateFile == "/etc/c.pem")
        #expect(tls.client?.keyFile.description == "/etc/c.key")
        let person = try #require(settings.persons.first)
        #expect(person.name == "Maria Rossi")
        #expect(person.automatedSOS == .accepted)
        #expect(person.plan.windows[.vitalSign] == .seconds(1))
        #expect(person.plan.ways.repeatInterval == .seconds(20))
        #expect(person.plan.rearmInterval == .seconds(120))
        #expect(person.plan.rules.filter { $0.kind == .heartRate }.map(\.limit) == [35, 150.5])
        #expect(person.plan.rules.first?.confirmation == Confirmation(readings: 4, within: .seconds(3.25)))
        #expect(settings.wearables.first?.address == DeviceAddress("C0:FF:EE:00:00:01"))
    }

    @Test func `without TLS the broker is at its plain port`() throws {
        var sample = SettingsSample()
        sample.broker = "[broker]\nhost = \"127.0.0.1\"\ntls = false"
        let broker = try sample.load().broker
        #expect(broker.access.security == .none)
        #expect(broker.access.addresses.map(\.port) == [1883])
    }

    @Test func `a house of two keeps their plans apart`() throws {
        var sample = SettingsSample()
        sample.person += "\n[person.sos.heart_rate]\nlow = 45\n[[person]]\nid = \"enzo\"\nname = \"Enzo\""
        sample.more = "[[wearable]]\nid = \"watch\"\naddress = \"c0:ff:ee:00:00:02\"\nperson = \"enzo\""
        let settings = try sample.load()
        #expect(settings.persons.map(\.id.text) == ["maria", "enzo"])
        #expect(settings.persons.map { $0.plan.rules.first?.limit } == [45, 40])
        #expect(settings.wearables.map(\.address.description) == ["C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02"])
        #expect(settings.warnings.isEmpty)
    }
}

private struct SampleIsWrong: Error {}
