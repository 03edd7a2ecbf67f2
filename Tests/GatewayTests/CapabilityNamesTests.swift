import Alarms
import ConsentService
import Contract
import DataSources
import DeskWatch
import DeviceSetup
import Doctor
import GatewayModel
import HistoryService
import HomeAssistant
import Hub
import Locations
import ModelSamples
import MyData
import Notices
import OutboxService
import PersonalSettings
import Race
import Readings
import Samples
import SettingsReading
import SettingsService
import ShutdownDelay
import SignedCommands
import Supervision
import Testing
import WalkTest

@testable import Settings

/// Each section of the settings, each condition and each topic belongs to exactly one capability.
@Suite struct `The names of the capabilities` {
    private static let capabilities: [any Capability.Type] = [
        AlarmService.self, CloudSession.self, CommandControl.self, ConsentRegister.self, DashboardSession.self,
        DeskWatch.self, DeviceReload.self, DeviceSetupService.self, DoctorService.self, HistoryKeeper.self,
        LocationService.self, NoticeService.self, PersonDataControl.self,
        PersonalSettings.self,
        RaceService.self, ReadingService.self, SettingsService.self, ShutdownDelay.self,
        SourceService.self, StatusReport.self,
        SupervisionService.self, WalkService.self,
    ]
    private static let all = [GatewayCore.names] + capabilities.map { $0.names }

    private func expectOnce<Name: Hashable & Comparable>(_ found: [Name], _ expected: Set<Name>) {
        #expect(found.sorted() == expected.sorted())
    }

    @Test func `have each section of the settings file once`() {
        let sections = RootSection.section.children.compactMap(\.path.first)
        expectOnce(Self.all.flatMap(\.settings), Set(sections))
    }

    @Test func `have each condition once`() {
        expectOnce(
            Self.all.flatMap(\.conditions).map(\.rawValue), Set(HealthCode.allCases.map(\.rawValue)))
    }

    @Test func `have each topic once`() {
        let topics = Topics(gateway: GatewayID(sample: "house-12"))
        let levels = (topics.sentFilters + topics.receivedFilters).map { $0.split(separator: "/")[3] }
        expectOnce(Self.all.flatMap(\.topics), Set(levels.map(String.init)))
    }
}
