import Foundation
import TestSupport
import Testing

/// The files of `systemd/`, and `make install` into a folder of the test's own.
@Suite struct InstallTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let settings = "etc/homegateway/gateway.toml"
    private static let consoleSettings = "etc/homegateway/console.toml"
    private static let installed = [
        "usr/bin/homegateway", "usr/bin/homegateway-console",
        "usr/lib/systemd/system/homegateway-console.service", consoleSettings,
        "usr/lib/debug/usr/bin/homegateway.debug",
        "usr/lib/systemd/system/homegateway.service",
        "usr/lib/sysusers.d/homegateway.conf", "usr/lib/tmpfiles.d/homegateway.conf",
        "usr/lib/udev/rules.d/60-homegateway.rules", "etc/polkit-1/rules.d/50-homegateway.rules", settings,
    ]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }

    /// `make TARGET`, with `true` for the program.
    private func make(_ target: String, into scratch: ScratchDirectory) async throws {
        let answer = try await BuiltProgram.answer(
            of: [
                "/usr/bin/make", "-C", Self.repository.path, target, "DESTDIR=\(scratch.url.path)",
                "PREFIX=/usr", "built=/bin/true", "symbols=/bin/true",
            ],
            // Without the variables of a make that runs the tests.
            environment: ["MAKEFLAGS": ""])
        try #require(answer.code == 0, "\(answer)")
    }

    private func files(in scratch: ScratchDirectory) throws -> Set<String> {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: scratch.url.path)
        return Set(
            paths.filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: scratch.file($0).path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            })
    }

    @Test func `what is installed is removed again, and the settings stay`() async throws {
        let scratch = try ScratchDirectory()
        try await make("install", into: scratch)
        #expect(try files(in: scratch) == Set(Self.installed))
        let unit = try String(
            contentsOf: scratch.file("usr/lib/systemd/system/homegateway.service"), encoding: .utf8)
        #expect(unit.contains("\nExecStart=/usr/bin/homegateway run\n"))
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: scratch.file("usr/bin/homegateway-console").path)
        #expect(link == "homegateway")
        try await make("uninstall", into: scratch)
        #expect(try files(in: scratch) == Set([Self.settings, Self.consoleSettings]))
    }

    @Test func `settings that are there are kept by the next version`() async throws {
        let scratch = try ScratchDirectory()
        try await make("install", into: scratch)
        _ = try scratch.write("[gateway]\n", to: Self.settings)
        try await make("install", into: scratch)
        #expect(try String(contentsOf: scratch.file(Self.settings), encoding: .utf8) == "[gateway]\n")
    }

    @Test func `the package has the version of the program`() async throws {
        let answer = try await BuiltProgram.run(["--version"])
        let version = try #require(answer.output.split(separator: " ").last)
        #expect(try Self.text("debian/changelog").hasPrefix("homegateway (\(version)) "))
    }

    @Test func `manual pages have each command and each setting`() async throws {
        let script = Self.repository.appending(path: "scripts/manual").path
        func page(_ words: String...) async throws -> String {
            let answer = try await BuiltProgram.answer(of: ["/usr/bin/python3", "-B", script] + words)
            try #require(answer.code == 0, "\(answer)")
            return answer.output
        }
        let command = try await page("command", BuiltProgram.homegateway, "0")
        for name in ["run", "status", "alarms show", "consent withdraw", "contract claim"] {
            #expect(command.contains("\n.SS homegateway \(name)\n"), "\(name)")
        }
        #expect(command.contains("\n.TP\n\\fB\\-\\-until\\-calm\\fR\n"))
        let document = Self.repository.appending(path: "docs/installer/settings.md").path
        let settings = try await page("settings", document, "0")
        // A key has a row that begins with it in code.
        let keys = try Self.text("docs/installer/settings.md").split(separator: "\n").filter { line in
            line.hasPrefix("| `") && line.split(separator: "|").count > 3
        }
        #expect(settings.split(separator: "\n").count { $0 == ".TP" } == keys.count)
    }

    @Test func `everything for systemd and its neighbours is installed`() throws {
        let folder = Self.repository.appending(path: "systemd").path
        // The program with its link and the symbols come from the build.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == Self.installed.count - 3)
    }

    /// Each weakness that is left has a reason: browsers of the house need a port.
    @Test func `the unit of the pages exposes next to nothing`() async throws {
        let unit = Self.repository.appending(path: "systemd/homegateway-console.service").path
        let answer = try await BuiltProgram.answer(
            of: ["/usr/bin/systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=12", unit])
        #expect(answer.code == 0, "\(answer)")
    }

    @Test(arguments: ["homegateway", "homegateway-console"])
    func `devices are paired before the first start into the folder that the unit would make`(
        service: String
    ) throws {
        let unit = try Self.text("systemd/\(service).service").split(separator: "\n")
        func value(_ name: String) throws -> Substring {
            try #require(unit.first(where: { $0.hasPrefix(name + "=") })).dropFirst(name.count + 1)
        }
        let line = try
            "d /var/lib/\(value("StateDirectory")) \(value("StateDirectoryMode")) \(value("User")) \(value("Group")) -"
        #expect(try Self.text("systemd/homegateway.tmpfiles").split(separator: "\n").contains(line[...]))
    }

    /// Evaluated by the engine of Debian's polkitd. `unit` and `verb` are the details that systemd gives of a call.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/polkit-1/polkitd")),
        arguments: [
            ("homegateway org.freedesktop.systemd1.manage-units unit=bluetooth.service verb=restart", "yes"),
            ("homegateway org.freedesktop.systemd1.manage-units unit=bluetooth.service verb=stop", "nothing"),
            ("homegateway org.freedesktop.systemd1.manage-units unit=ssh.service verb=restart", "nothing"),
            ("homegateway org.freedesktop.systemd1.manage-units", "nothing"),
            ("homegateway org.freedesktop.systemd1.reload-daemon", "nothing"),
            ("anna org.freedesktop.systemd1.manage-units unit=bluetooth.service verb=restart", "nothing"),
            ("homegateway org.freedesktop.ModemManager1.Messaging", "yes"),
            ("homegateway org.freedesktop.ModemManager1.Voice", "yes"),
            ("homegateway org.freedesktop.ModemManager1.Device.Control", "yes"),
            ("homegateway org.freedesktop.ModemManager1.Control", "nothing"),
            ("anna org.freedesktop.ModemManager1.Messaging", "nothing"),
            ("anna org.freedesktop.ModemManager1.Voice", "nothing"),
        ])
    func `the account may send texts, call and restart bluetoothd, and nobody may more`(
        asked: String, said: String
    ) async throws {
        let program = Repository.root.appending(path: "Tests/Rig/polkit_rules.py").path
        let rules = Self.repository.appending(path: "systemd/homegateway.rules").path
        let answer = try await BuiltProgram.answer(
            of: ["/usr/bin/python3", program, rules] + asked.split(separator: " ").map(String.init))
        #expect(answer.code == 0 && answer.output == said, "\(answer)")
    }
}
