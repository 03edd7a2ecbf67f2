import Ciphers
import ControlContract
import Foundation
import GatewayModel
import Glibc
import Hub
import RealTime
import TestSupport
import Testing

@testable import Commands

/// Judgements of `homegateway doctor`, without the parts that it tries.
@Suite struct `The doctor` {
    private let begin = BootInstant(nanoseconds: 1_000_000_000_000)

    private func device(_ id: String, heardBefore age: Duration?, kinds: [QuantityKind]? = [.heartRate])
        -> HouseSnapshot.Device
    {
        var device = HouseSnapshot.Device(
            id: DeviceID(id)!, person: PersonID("maria")!, address: DeviceAddress("00:11:22:33:44:55")!,
            heardBy: "connection", kinds: kinds, lastReadingAge: nil)
        device.lastHeardAgeMs = age?.wholeMilliseconds
        return device
    }

    /// Findings after a minute of states, one a second, of devices that are heard at some seconds.
    private func findings(_ heard: [String: [Int]], kinds: [QuantityKind]? = [.heartRate]) -> [CheckReport
        .Finding]
    {
        var count = ReceptionCount(from: begin)
        for second in 1...60 {
            let devices = heard.keys.sorted().map { id in
                let last = heard[id]?.last { $0 <= second }
                return device(
                    id, heardBefore: last.map { .milliseconds((second - $0) * 1_000 + second % 3) },
                    kinds: kinds)
            }
            count.take(devices, at: begin.advanced(by: .seconds(second)))
        }
        return count.findings
    }

    @Test func `counts each message once, and tells the longest silence`() throws {
        let found = findings(["strap": Array(1...60), "watch": [10, 20, 50]])
        #expect(found.map(\.severity) == [.ok, .problem])
        #expect(found[0].seen == "heard 60 times in 60 s, longest silence 1 s")
        #expect(found[1].seen == "heard 3 times in 60 s, longest silence 30 s")
        #expect(found[1].expected == "at most 15 s")
    }

    @Test func `finds a state directory to which other programs write`() throws {
        let scratch = try ScratchDirectory()
        for (mode, isWell) in [(0o700, true), (0o755, true), (0o775, false), (0o777, false)] {
            #expect(chmod(scratch.url.path, mode_t(mode)) == 0)
            let finding = Probe.state(scratch.url.path)
            #expect(finding.isWell == isWell, "\(finding)")
            #expect(isWell || finding.text.contains("chmod 700 \(scratch.url.path)"))
        }
    }

    @Test func `takes one measurement of a cuff, and no message from before`() {
        #expect(findings(["cuff": [30]], kinds: [.systolicPressure]).map(\.severity) == [.ok])
        let silent = findings(["cuff": [-5], "tag": []], kinds: nil)
        #expect(silent.map(\.severity) == [.problem, .problem])
        // A press may call an ambulance.
        #expect(silent.allSatisfy { $0.seen == "not heard in 60 s" && $0.remedy?.contains("press") == false })
        #expect(findings([:]).map(\.severity) == [.problem], "a house without a wearable")
    }

    @Test func `says how long certificates last`() throws {
        let own = try OwnCertificate(for: ["box.example"], addresses: [])
        let ends = CertificateEnds.ends(ofPEM: own.certificate + "no certificate\n" + own.certificate)
        #expect(ends.count == 2)
        let end = try #require(ends.first)
        func finding(daysBefore days: Int) -> Probe.Finding {
            Probe.certificate("ca.pem", ends: ends, at: end.advanced(by: .seconds(-86_400 * days)))
        }
        #expect(finding(daysBefore: 31).isWell)
        #expect(!finding(daysBefore: 29).isWell)
        #expect(finding(daysBefore: 29).text.contains("in 29 days; renew it now"))
        #expect(finding(daysBefore: -1).text.contains("ended on"))
        #expect(!Probe.certificate("ca.pem", ends: CertificateEnds.ends(ofPEM: "nothing"), at: end).isWell)
        let other = end.advanced(by: .seconds(86_400 * 400))
        #expect(Probe.certificate("ca.pem", ends: [end, other], at: end.advanced(by: .seconds(1))).isWell)
    }

    @Test func `takes no file of a stick that is pulled out`() {
        let stick = ["/media/usb/ca.pem", "/media/../media/usb/password", "/run/media/anna/STICK/token"]
        let box = ["/etc/homegateway/media/ca.pem", "/mediathek/ca.pem"]
        #expect(Probe.files(box).isWell && Probe.files([]).isWell)
        for path in stick {
            let finding = Probe.files(box + [path])
            #expect(!finding.isWell && finding.text.contains(path) && !finding.text.contains("mediathek"))
        }
    }

    /// Each of its connections is one handshake, also of a server that asks for a certificate and gets none.
    @Test(arguments: ["ssl.CERT_NONE", "ssl.CERT_REQUIRED"])
    func `asks a server for its certificate`(demand: String) async throws {
        let own = try OwnCertificate(for: ["localhost"], addresses: ["127.0.0.1"])
        let pem = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID()).pem")
        try (own.key + own.certificate).write(to: pem, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: pem) }
        let program = """
            import socket, ssl
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain('\(pem.path)')
            context.load_verify_locations('\(pem.path)')
            context.verify_mode = \(demand)
            with socket.create_server(('127.0.0.1', 0)) as server:
                print(server.getsockname()[1], flush=True)
                while True:
                    try:
                        context.wrap_socket(server.accept()[0], server_side=True).close()
                    except OSError:
                        pass
            """
        let server = try TiedChild(["/usr/bin/python3", "-c", program])
        let port = try #require(Int(try await server.output.first("the server's port") { _ in true }))
        let socket = try TCPProbe.open(host: "127.0.0.1", port: port, within: .seconds(5))
        defer { close(socket) }
        #expect(
            CertificateEnds.end(ofServer: "localhost", at: socket)
                == CertificateEnds.ends(ofPEM: own.certificate).first)
        await server.killed()
        #expect(throws: TCPProbe.Failure.self) {
            try TCPProbe.connect(host: "127.0.0.1", port: port, within: .seconds(5))
        }
    }

    @Test func `reads voltage, mains and wear as the kernel shows them`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ path: String, _ text: String) throws {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        func path(_ name: String) -> String { folder.appending(path: name).path }
        #expect(Probe.power(nil, in: path("hwmon")).isWell)
        try write("hwmon/hwmon1/name", "rpi_volt\n")
        try write("hwmon/hwmon1/in0_lcrit_alarm", "0\n")
        #expect(Probe.power(nil, in: path("hwmon")).isWell)
        try write("hwmon/hwmon1/in0_lcrit_alarm", "1\n")
        #expect(Probe.power(nil, in: path("hwmon")).text.contains("too little voltage"))
        try write("supply/AC/type", "Mains\n")
        try write("supply/AC/online", "0\n")
        #expect(!Probe.power(PowerSupply(directory: path("supply")), in: path("none")).isWell)
        #expect(DiskWear(ofBlockDevice: path("sd")).text == "it does not tell its wear")
        for (life, reserve, isGood) in [
            ("0x03 0x02", "0x01", true), ("0x09 0x01", "0x01", false), ("0x02 0x02", "0x02", false),
        ] {
            try write("mmc/device/life_time", life + "\n")
            try write("mmc/device/pre_eol_info", reserve + "\n")
            #expect(DiskWear(ofBlockDevice: path("mmc")).isGood == isGood, "\(life) \(reserve)")
        }
        let disk = Probe.disk(folder.path)
        #expect(disk.text.contains("a durable write takes"))
        #expect(!Probe.disk("/proc").isWell)
    }

    @Test func `ends in a verdict`() {
        var report = CheckReport()
        #expect(report.verdict == "All is well. You may leave.")
        report.findings = [CheckReport.Finding(.problem, part: "clock", seen: "wrong", remedy: "set it")]
        #expect(report.verdict.hasPrefix("Not yet: 1 problem"))
        #expect(report.findings[0].lines == ["PROBLEM clock: wrong", "        set it"])
    }
}
