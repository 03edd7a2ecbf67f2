package import ArgumentParser

/// Subcommands of `homegateway` by task, in the order in which the help lists them. Only `homegateway run` is missing:
/// it belongs to the daemon.
package enum CommandGroups {
    package static let all: [any ParsableCommand.Type] = gateway + alarms + persons + devices + race + cloud

    /// Settings and state of the gateway.
    private static let gateway: [any ParsableCommand.Type] = [
        InitCommand.self, CheckCommand.self, DoctorCommand.self, SettingsCommand.self, SayCommand.self,
        ReloadCommand.self,
        StatusCommand.self,
        ExplainCommand.self, WatchCommand.self, BackupCommand.self, RestoreCommand.self,
        SupportBundleCommand.self,
    ]
    private static let alarms: [any ParsableCommand.Type] = [
        AbortCommand.self, CallHelpCommand.self, AcceptCommand.self, ResolveCommand.self, ExerciseCommand.self,
        DrillCommand.self, TestButtonCommand.self, AlarmsCommand.self,
    ]
    /// Data and decisions of a person.
    private static let persons: [any ParsableCommand.Type] = [
        ProfileCommand.self, LimitsCommand.self, ChannelsCommand.self, HistoryCommand.self, MyDataCommand.self,
        ConsentCommand.self, LinkCodeCommand.self,
    ]
    private static let devices: [any ParsableCommand.Type] = [DevicesCommand.self]
    private static let race: [any ParsableCommand.Type] = [
        RunsCommand.self, PassingsCommand.self, StandingsCommand.self, RaceCommand.self,
    ]
    /// Tools for the operators of a broker and the developers of the cloud side.
    private static let cloud: [any ParsableCommand.Type] = [BrokerACLCommand.self, ContractCommand.self]
}
