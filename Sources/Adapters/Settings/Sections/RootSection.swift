/// The whole file.
enum RootSection {
    static let section = Section(
        [], "The settings of one gateway.",
        children: [
            GatewaySection.section, InstalledSection.section, BluetoothSection.section, GPSDSection.section,
            BrokerSection.section, OutboxSection.section, HistorySection.section, HouseSection.section,
            HomeAssistantSection.section, HelpSection.section, CommandsSection.section, RaceSection.section,
            PersonSection.section,
            WearableSection.section,
        ] + ChannelSection.variants.map(\.section))
}
