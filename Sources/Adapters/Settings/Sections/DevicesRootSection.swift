/// The whole file that the command line writes.
enum DevicesRootSection {
    static let section = Section([], "The devices added by command.", children: [WearableSection.section])
}
