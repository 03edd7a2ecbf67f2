import Foundation
import GatewayModel
import RealTime
import Testing

@testable import Audio
@testable import HouseAlarm
@testable import SOSLocal

/// A chip of the kernel's gpio-sim (Documentation/admin-guide/gpio/gpio-sim.rst), removed at the end. Its other side is
/// in sysfs: the level that a wire would apply to an input, and the level of an output.
private final class SimulatedChip {
    private static let root = "/sys/kernel/config/gpio-sim"
    static let isThere = FileManager.default.isWritableFile(atPath: root)

    private let place: String
    let name: String
    private let lines: String

    init() throws {
        place = "\(Self.root)/house-\(UUID().uuidString.prefix(8))"
        for path in [place, "\(place)/bank0"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        try Self.write("8", to: "\(place)/bank0/num_lines")
        try Self.write("1", to: "\(place)/live")
        name = try Self.read("\(place)/bank0/chip_name")
        lines = "/sys/devices/platform/\(try Self.read("\(place)/dev_name"))/\(name)"
    }

    deinit {
        try? Self.write("0", to: "\(place)/live")
        for path in ["\(place)/bank0", place] { rmdir(path) }
    }

    func pull(_ line: Int, up: Bool) throws {
        try Self.write(up ? "pull-up" : "pull-down", to: "\(lines)/sim_gpio\(line)/pull")
    }

    func level(_ line: Int) throws -> String { try Self.read("\(lines)/sim_gpio\(line)/value") }

    private static func write(_ text: String, to path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path), "\(path)")
        defer { try? file.close() }
        try file.write(contentsOf: Data(text.utf8))
    }

    private static func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// On the real kernel. To run it: as root, `modprobe gpio-sim`, with configfs mounted.
@Suite(.enabled(if: SimulatedChip.isThere, "the kernel has no gpio-sim, or this is not root"))
struct `Lines of a simulated chip` {
    @Test(arguments: [false, true])
    func `are switched as the wiring wants it`(isActiveLow: Bool) throws {
        let chip = try SimulatedChip()
        let (on, off) = isActiveLow ? ("0", "1") : ("1", "0")
        let line = try KernelLines().output(GPIOLine(chip: chip.name, offset: 3, isActiveLow: isActiveLow))
        #expect(try chip.level(3) == off)
        try line.set(true)
        #expect(try chip.level(3) == on)
        try line.set(false)
        #expect(try chip.level(3) == off)
    }

    @Test func `belong to one at a time, and say so`() throws {
        let chip = try SimulatedChip()
        let line = GPIOLine(chip: chip.name, offset: 2)
        let first = try KernelLines().output(line)
        let failure = #expect(throws: HouseFailure.self) { try KernelLines().output(line) }
        #expect(failure?.description.contains("something else uses the line") == true)
        let beyond = #expect(throws: HouseFailure.self) {
            try KernelLines().output(GPIOLine(chip: chip.name, offset: 99))
        }
        #expect(beyond?.description.contains("has the chip so many lines") == true)
        try first.set(true)
    }

    @Test(arguments: [false, true])
    func `tell a button's changes, without its bouncing`(isActiveLow: Bool) throws {
        let chip = try SimulatedChip()
        let button = HouseAlarmSettings.Button(
            line: GPIOLine(chip: chip.name, offset: 5, isActiveLow: isActiveLow))
        let input = try KernelLines().input(button.line, pull: button.pull, debounce: .milliseconds(50))
        #expect(try !input.isActive())
        #expect(try input.takeChanges() == [])
        // It bounces a while, then it is down.
        for level in [true, false, true, false, true] { try chip.pull(5, up: level != isActiveLow) }
        #expect(Poll.wait([Poll.Interest(input.descriptor)], timeout: .seconds(30)).readable == [true])
        #expect(try input.takeChanges() == [true])
        #expect(try input.isActive())
        try chip.pull(5, up: isActiveLow)
        #expect(Poll.wait([Poll.Interest(input.descriptor)], timeout: .seconds(30)).readable == [true])
        #expect(try input.takeChanges() == [false])
    }

    @Test func `carry an alarm to the lamp and a press from the button`() async throws {
        let chip = try SimulatedChip()
        let (heard, ready, presses) = (Record<HousePart>(), Record<HousePart>(), Record<ButtonPress>())
        let settings = HouseAlarmSettings(
            sound: .off, lamp: GPIOLine(chip: chip.name, offset: 0),
            button: HouseAlarmSettings.Button(
                line: GPIOLine(chip: chip.name, offset: 1, isActiveLow: true), hold: .milliseconds(100)))
        let house = try HouseAnnunciator(
            settings, phrases: House.phrases(),
            reports: HouseReports(
                annunciated: { _, part, _ in heard.add(part) },
                works: { part, works, _ in if works { ready.add(part) } },
                pressed: { presses.add($0) }))
        let running = Task { try await house.run() }
        // A note: the lamp shines, and does not flash.
        house.say(.alarm(House.notice(priority: .low, call: .none)))
        #expect(try await heard.first { $0 == .lamp } != nil)
        #expect(try chip.level(0) == "1")
        // Requesting the line sets its pull: a press before that does not count.
        #expect(try await ready.first { $0 == .button } != nil)
        try chip.pull(1, up: false)
        let held = try await presses.first { $0.kind == .held }
        #expect(presses.all.map(\.kind) == [.pressed, .held] && held?.began == presses.all[0].began)
        house.stop()
        try await running.value
        #expect(try chip.level(0) == "0", "nobody could put it out")
    }
}
