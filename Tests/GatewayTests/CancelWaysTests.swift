import Alarms
import Foundation
import GatewayModel
import HomeGateway
import HouseAlarm
import Hub
import Phrases
import Settings
import Testing

@Suite struct `The ways to cancel` {
    private static func ways(
        house: String = "", person: String = "", sos: String = "", signals: String? = nil
    ) throws -> CancelWays {
        let (maria, settings) = try Self.person(house: house, person: person, sos: sos, signals: signals)
        return CancelWays(of: maria, wearables: settings.wearables, house: settings.house)
    }

    private static func person(
        house: String = "", person: String = "", sos: String = "", signals: String? = nil
    ) throws -> (GatewaySettings.Person, GatewaySettings) {
        let worn =
            signals.map {
                """
                [[wearable]]
                id = "pendant"
                address = "C0:FF:EE:00:00:05"
                person = "maria"
                heard_by = "advertising"
                [wearable.signals]
                \($0)
                """
            } ?? ""
        let text = """
            [gateway]
            id = "house-12"
            [installed]
            address = "Via Dante 7"
            [broker]
            host = "127.0.0.1"
            tls = false
            \(house)
            [[person]]
            id = "maria"
            name = "Maria Rossi"
            \(person)
            [person.sos]
            \(sos)
            \(worn)
            """
        let settings = try GatewaySettings.parse(Array(text.utf8), file: "gateway.toml")
        return (try #require(settings.persons.first), settings)
    }

    private static let button = "[house.button]\nline = 4"

    @Test func `fail the check where there is none`() throws {
        let ways = try Self.ways(sos: "may_end = [\"wearable\", \"button\"]")
        #expect(ways.isMissing && ways.means == .nothing)
        #expect(ways.lines.first == "cancelled by: nothing in the house")
        #expect(ways.lines.contains { $0.hasPrefix("PROBLEM") && $0.contains("cannot_cancel = true") })
    }

    @Test func `may be none where the settings say that it is meant`() throws {
        let ways = try Self.ways(person: "cannot_cancel = true", sos: "may_end = [\"wearable\"]")
        #expect(!ways.isMissing && ways.means == .nothing)
        #expect(ways.lines == ["cancelled by: nothing in the house, as cannot_cancel = true says"])
    }

    @Test func `are out of reach where a terminal is the only one`() throws {
        let short = try Self.ways()
        #expect(!short.isMissing && short.areOutOfReach && short.means == .gateway)
        #expect(short.lines.contains { $0.hasPrefix("PROBLEM") && $0.contains("2.5 s are too short") })
        let long = try Self.ways(sos: "early_notice = true\nabort_window_seconds = 30")
        #expect(long.areOutOfReach && !long.lines.contains { $0.contains("too short") })
        let meant = try Self.ways(person: "cannot_cancel = true")
        #expect(!meant.areOutOfReach && !meant.lines.contains { $0.hasPrefix("PROBLEM") })
        let screen = try Self.ways(house: "[house]\nscreen = true")
        #expect(screen.lines == ["cancelled by: homegateway abort; the screen of the room"])
        let mute = try Self.ways(house: "[house]\nscreen = true", sos: "may_end = [\"command-line\"]")
        #expect(mute.areOutOfReach && mute.lines.contains { $0.contains("the screen CANNOT cancel") })
        let pressed = try Self.ways(house: Self.button)
        #expect(pressed.lines.first == "cancelled by: homegateway abort; the button of the box")
        #expect(pressed.lines.count == 2 && pressed.lines[1].contains("cancels nothing for 10 s"))
    }

    @Test func `are named by the button that cancels`() throws {
        func means(_ house: String = "", sos: String = "", _ signals: String?) throws -> CancelMeans {
            try Self.ways(house: house, sos: sos, signals: signals).means
        }
        let sos = "button = \"sos-button\""
        #expect(try means(Self.button, nil) == .box)
        #expect(try means(Self.button, sos) == .boxOnly)
        #expect(try means(Self.button, sos + "\ndouble_press = \"cancel\"") == .box)
        #expect(try means("", "button = \"cancel\"") == .worn)
        #expect(try means("", sos + "\ndouble_press = \"cancel\"") == .wornTwice)
        #expect(try means("", sos + "\nlong_press = \"cancel\"") == .wornLong)
        #expect(try means(Self.button, sos: "may_end = [\"command-line\"]", sos) == .gateway)
        #expect(try means("[house]\nscreen = true", sos) == .screen)
    }

    @Test func `leave out the button that has just called, in the words of the voice`() throws {
        let text = "button = \"sos-button\"\ndouble_press = \"cancel\""
        let (maria, settings) = try Self.person(signals: text)
        func means(_ caller: DeviceID?, _ house: GatewaySettings.House? = nil) -> CancelMeans {
            CancelWays(
                of: maria, wearables: settings.wearables, house: house ?? settings.house, calledBy: caller
            ).means
        }
        #expect(means(nil) == .wornTwice)
        #expect(means(DeviceID("pendant")) == .gateway)
        let box = try Self.person(house: Self.button).1.house
        #expect(means(DeviceID("pendant"), box) == .boxOnly)
        #expect(means(.houseButton, box) == .wornTwice)
    }

    @Test func `leave out a wearable that may not cancel, and say so`() throws {
        let ways = try Self.ways(sos: "may_end = [\"command-line\"]", signals: "button = \"cancel\"")
        #expect(ways.ways == [.commandLine])
        #expect(ways.lines.contains { $0.contains("pendant CANNOT cancel") })
    }
}
